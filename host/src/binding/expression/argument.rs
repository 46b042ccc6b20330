//! `{mcptoolargs.a.b}` and its like: an argument in a template, found in the schema at load and read in every call.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{BindingData, Purpose, purpose::Extent, reference::Reference};
use crate::{
    binding::{BindingError, Scope},
    nearest,
};

/// Places of `$ref` that are followed before a schema counts as unknown: a schema may refer to itself.
const MAX_REFERENCES: usize = 16;

/// Where a value is in the arguments, and what is made of it.
#[derive(Clone, Debug)]
pub(in crate::binding) struct Argument {
    /// What messages call it.
    name: String,
    /// Whether `name` is a `%Setting%` that holds the name, which no message may tell.
    from_setting: bool,
    path: Vec<String>,
    purpose: Purpose,
    extent: Extent,
    /// What a missing value gives.
    default: Option<String>,
}

/// Whether every call gives the argument, as far as the schema tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
    Nullable,
}

impl Argument {
    /// Reads an argument and finds it in what the function accepts; and says what a person should know of it.
    /// `name` is the reference without its root.
    pub(super) fn parse(
        reference: Reference<'_>,
        name: &str,
        purpose: Purpose,
        scope: &Scope<'_>,
    ) -> Result<(Self, Option<String>), String> {
        let reference = reference.with_default();
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        if path.iter().any(String::is_empty) {
            let root = scope.root().as_str();
            let place = reference.place;
            return Err(format!("{place} names no argument (expected `{{{root}.NAME}}`)"));
        }
        let extent = purpose.extent(&reference)?;
        let default = purpose.default(&reference, extent)?;
        let from_setting = reference.is_from_setting();
        let name = if from_setting { reference.place.quote } else { name }.to_owned();
        let mut argument = Self { name, from_setting, path, purpose, extent, default };
        let presence = argument.check(scope.schema().value())?;
        let notice = argument.notice(presence, scope);
        Ok((argument, notice))
    }

    /// The argument as the function names it: `snippetname`, `address.city`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What is given for a missing value.
    pub(super) fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// Finds the argument in a schema, as far as its `properties` are known, and takes the names there.
    fn check(&mut self, schema: &Value) -> Result<Option<Presence>, String> {
        let found = self.find(schema)?;
        if found.is_some() || !self.from_setting {
            self.name = self.path.join(".");
            self.from_setting = false;
        }
        Ok(found)
    }

    /// None: the schema does not tell what there is.
    fn find(&mut self, schema: &Value) -> Result<Option<Presence>, String> {
        let mut node = schema;
        let mut parent = String::new();
        let mut presence = Presence::Required;
        for name in &mut self.path {
            let shown = if self.from_setting { &self.name } else { &*name };
            let Some(properties) = followed(node, schema).and_then(|node| properties(node)) else {
                let Some(kind) = scalar(node, schema) else { return Ok(None) };
                return Err(format!("argument `{parent}` is of type {kind} and has no `{shown}`"));
            };
            let (found, value) = property(properties, name, shown, &parent)?;
            name.clone_from(found);
            if !is_required(node, schema, name) {
                presence = Presence::Optional;
            } else if presence == Presence::Required && is_nullable(value, schema) {
                presence = Presence::Nullable;
            }
            if !parent.is_empty() {
                parent.push('.');
            }
            parent.push_str(name);
            node = value;
        }
        match followed(node, schema).and_then(|node| node.get("type")).and_then(Value::as_str) {
            Some(kind @ ("object" | "array")) => Err(format!(
                "argument `{parent}` is of type {kind}, which cannot be part of {}",
                self.purpose.noun()
            )),
            _ => Ok(Some(presence)),
        }
    }

    /// Says that a call may come without a value, and what follows.
    fn notice(&self, presence: Option<Presence>, scope: &Scope<'_>) -> Option<String> {
        let why = match presence {
            None | Some(Presence::Required) => return None,
            Some(_) if self.default.is_some() => return None,
            Some(Presence::Optional) => "is optional",
            Some(Presence::Nullable) => "may be null",
        };
        let format = match self.extent {
            Extent::Segment => "",
            Extent::Path => ":path",
        };
        let (name, root) = (&self.name, scope.root().as_str());
        let lack = self.purpose.lack(scope.direction())?;
        Some(format!(
            "argument `{name}` {why}, and without it {lack} (give it a default: `{{{root}.{name}{format}=..}}`)"
        ))
    }

    /// The value as text. None: missing or null.
    pub(super) fn value<'a>(
        &self,
        data: &BindingData<'a>,
    ) -> Result<Option<Cow<'a, str>>, BindingError> {
        let (first, rest) = self.path.split_first().expect("a parsed path is not empty");
        let Some(mut value) = data.arguments().get(first) else { return Ok(None) };
        for name in rest {
            value = match value {
                Value::Object(members) => match members.get(name) {
                    Some(value) => value,
                    None => return Ok(None),
                },
                Value::Null => return Ok(None),
                _ => return Err(self.fault("is looked for in a value that is not an object")),
            };
        }
        let text = match value {
            Value::Null => return Ok(None),
            Value::Bool(true) => Cow::Borrowed("true"),
            Value::Bool(false) => Cow::Borrowed("false"),
            Value::Number(number) => Cow::Owned(data.digits(&self.path, number)),
            Value::String(text) => Cow::Borrowed(text.as_str()),
            Value::Array(_) => return Err(self.unfit("an array")),
            Value::Object(_) => return Err(self.unfit("an object")),
        };
        self.purpose.take(text, self.extent).map(Some).map_err(|reason| self.fault(&reason))
    }

    fn unfit(&self, what: &str) -> BindingError {
        self.fault(&format!("is {what}, which cannot be part of {}", self.purpose.noun()))
    }

    fn fault(&self, reason: &str) -> BindingError {
        BindingError::Argument { argument: self.name.clone(), reason: reason.to_owned() }
    }
}

/// The exact name, or else the only one that is equal when case is ignored. `shown` stands for it in
/// messages.
fn property<'s>(
    properties: &'s Map<String, Value>,
    name: &str,
    shown: &str,
    parent: &str,
) -> Result<(&'s String, &'s Value), String> {
    if let Some(exact) = properties.iter().find(|(key, _)| key.as_str() == name) {
        return Ok(exact);
    }
    let folded = name.to_lowercase();
    let mut equal = properties.iter().filter(|(key, _)| key.to_lowercase() == folded);
    match (equal.next(), equal.next()) {
        (Some(only), None) => Ok(only),
        (Some((first, _)), Some((second, _))) => Err(format!(
            "`{shown}` may be the argument `{first}` or `{second}`: write one of them exactly"
        )),
        (None, _) => {
            let owner = if parent.is_empty() {
                "the function".to_owned()
            } else {
                format!("argument `{parent}`")
            };
            let hint = nearest::hint(name, properties.keys().map(String::as_str));
            Err(format!("{owner} has no argument `{shown}`{hint}"))
        }
    }
}

fn properties(node: &Value) -> Option<&Map<String, Value>> {
    node.get("properties")?.as_object()
}

/// The schema that a local `$ref` leads to, or the schema itself.
fn followed<'s>(mut node: &'s Value, root: &'s Value) -> Option<&'s Value> {
    for _ in 0..MAX_REFERENCES {
        match node.get("$ref").and_then(Value::as_str) {
            None => return Some(node),
            Some(reference) => node = root.pointer(reference.strip_prefix('#')?)?,
        }
    }
    None
}

fn is_required(node: &Value, root: &Value, name: &str) -> bool {
    let required = followed(node, root).and_then(|node| node.get("required")?.as_array());
    required.is_some_and(|names| names.iter().any(|other| other == name))
}

fn is_nullable(node: &Value, root: &Value) -> bool {
    let kinds = followed(node, root).and_then(|node| node.get("type")?.as_array());
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"))
}

fn scalar<'s>(node: &'s Value, root: &'s Value) -> Option<&'s str> {
    let kind = followed(node, root)?.get("type")?.as_str()?;
    matches!(kind, "string" | "number" | "integer" | "boolean" | "array").then_some(kind)
}
