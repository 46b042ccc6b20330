//! `{mcptoolargs.a.b}` and its like: an argument in a template, found in the schema at load and read in every call.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::BindingData;
use crate::{
    binding::{BindingError, scope::Root, segment},
    nearest,
};

/// The most that one value may give to a name: the longest file name of common file systems.
const MAX_VALUE_BYTES: usize = 255;

/// Places of `$ref` that are followed before a schema counts as unknown: a schema may refer to itself.
const MAX_REFERENCES: usize = 16;

/// Where a value is in the arguments, and what it may hold.
#[derive(Clone, Debug)]
pub(in crate::binding) struct Argument {
    /// What messages call it.
    name: String,
    /// Whether `name` is a `%Setting%` that holds the name, which no message may tell.
    from_setting: bool,
    path: Vec<String>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One segment of a path.
    Segment,
    /// `:path`: segments with `/` between them.
    Path,
}

impl Argument {
    /// None: the expression is not about arguments. `quote` is what a message may show of it.
    pub(super) fn parse(text: &str, quote: &str, root: Root) -> Result<Option<Self>, String> {
        let (reference, format) = match text.split_once(':') {
            None => (text, None),
            Some((reference, format)) => (reference, Some(format)),
        };
        let (first, rest) = match reference.split_once('.') {
            None => (reference, ""),
            Some((first, rest)) => (first, rest),
        };
        let expected = format!("expected `{{{}.NAME}}`", root.as_str());
        let name = match Root::parse(first) {
            Some(own) if own == root => rest,
            Some(_) => {
                return Err(format!("`{quote}` is not for this kind of function ({expected})"));
            }
            None if root.is_optional() => reference,
            None => return Ok(None),
        };
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        if path.iter().any(String::is_empty) {
            return Err(format!("`{quote}` names no argument ({expected})"));
        }
        let form = match format {
            None => Form::Segment,
            Some("path") => Form::Path,
            Some(_) => {
                return Err(format!("unknown format in `{quote}` (expected `:path`)"));
            }
        };
        let from_setting = quote.get(1..quote.len() - 1) != Some(text);
        let name = if from_setting { quote } else { name };
        Ok(Some(Self { name: name.to_owned(), from_setting, path, form }))
    }

    /// The argument as the function names it: `snippetname`, `address.city`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Finds the argument in a schema, as far as its `properties` are known, and takes the names there.
    pub(super) fn check(&mut self, schema: &Value) -> Result<(), String> {
        let found = self.find(schema)?;
        if found || !self.from_setting {
            self.name = self.path.join(".");
            self.from_setting = false;
        }
        Ok(())
    }

    /// False: the schema does not tell what there is.
    fn find(&mut self, schema: &Value) -> Result<bool, String> {
        let mut node = schema;
        let mut parent = String::new();
        for name in &mut self.path {
            let shown = if self.from_setting { &self.name } else { &*name };
            let Some(properties) = followed(node, schema).and_then(|node| properties(node)) else {
                let Some(kind) = scalar(node, schema) else { return Ok(false) };
                return Err(format!("argument `{parent}` is of type {kind} and has no `{shown}`"));
            };
            let (found, value) = property(properties, name, shown, &parent)?;
            name.clone_from(found);
            if !parent.is_empty() {
                parent.push('.');
            }
            parent.push_str(name);
            node = value;
        }
        match followed(node, schema).and_then(|node| node.get("type")).and_then(Value::as_str) {
            Some(kind @ ("object" | "array")) => Err(format!(
                "argument `{parent}` is of type {kind}, which cannot be part of a path"
            )),
            _ => Ok(true),
        }
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
            Value::Array(_) => {
                return Err(self.fault("is an array, which cannot be part of a path"));
            }
            Value::Object(_) => {
                return Err(self.fault("is an object, which cannot be part of a path"));
            }
        };
        if self.form == Form::Segment && text.contains('/') {
            return Err(self.fault("holds a `/`, so it would leave its place in the path"));
        }
        match segment::refusal(&text, MAX_VALUE_BYTES) {
            Some((_, reason)) => Err(self.fault(&format!("cannot be part of a path: it {reason}"))),
            None => Ok(Some(text)),
        }
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

fn scalar<'s>(node: &'s Value, root: &'s Value) -> Option<&'s str> {
    let kind = followed(node, root)?.get("type")?.as_str()?;
    matches!(kind, "string" | "number" | "integer" | "boolean" | "array").then_some(kind)
}
