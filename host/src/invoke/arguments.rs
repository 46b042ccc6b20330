//! Arguments against the tool's schema: JSON Schema 2020-12, once for every caller.

use std::{fmt, sync::Arc};

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use serde_json::{Map, Value, value::RawValue};
use thiserror::Error;

use super::check::{Check, TooLong};
use crate::{
    function::{Schema, Trigger},
    json::Members,
    schema_error::{Values, reason},
};

/// How many failing paths a message lists.
const MAX_FAILURES: usize = 20;

/// How long one of its lines may be: paths and names are the client's own.
const MAX_LINE: usize = 300;

/// Larger arguments are told their first fault only: a million items can have a million faults.
const EXPLAINED_WHOLE: usize = 64 << 10;

/// The compiled schema of a function's arguments.
#[derive(Debug)]
pub(super) struct Arguments {
    check: Check,
    rules: Arc<Rules>,
    max_bytes: Option<usize>,
}

/// What tells a missing argument from a wrong one.
#[derive(Debug)]
struct Rules {
    noun: &'static str,
    schema: Value,
    required: Vec<String>,
}

/// Arguments that do not fit. [`Display`](fmt::Display) is for the client: it never repeats a value.
#[derive(Debug, Error)]
pub struct ArgumentsError {
    /// What the arguments are: `tool properties`, `prompt arguments`.
    pub noun: &'static str,
    /// Required ones that are absent or null.
    pub missing: Vec<String>,
    /// One line for each path that fails: `/snippet: expected string, got number`.
    pub failures: Vec<String>,
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.missing.is_empty() {
            // Azure's sentence, word for word.
            write!(
                f,
                "One or more required {} are missing values. Please provide: {}",
                self.noun,
                self.missing.join(", ")
            )?;
        }
        for (idx, failure) in self.failures.iter().enumerate() {
            let line_break = if idx > 0 || !self.missing.is_empty() { "\n" } else { "" };
            write!(f, "{line_break}{failure}")?;
        }
        Ok(())
    }
}

impl Arguments {
    /// Compiles the schema of what a trigger accepts. An error names the place in it.
    pub(super) fn new(trigger: &Trigger, max_bytes: Option<usize>) -> Result<Self, String> {
        let noun = match trigger {
            // Azure's words.
            Trigger::Tool(_) => "tool properties",
            Trigger::Prompt(_) => "prompt arguments",
            Trigger::Resource(_) => "variables",
        };
        Self::of_schema(trigger.input(), noun, max_bytes)
    }

    /// Takes every object.
    pub(super) fn unchecked(max_bytes: Option<usize>) -> Self {
        Self::of_schema(&Schema::any_object(), "arguments", max_bytes)
            .expect("the schema is our own, and one")
    }

    fn of_schema(
        schema: &Schema,
        noun: &'static str,
        max_bytes: Option<usize>,
    ) -> Result<Self, String> {
        let rules = Rules {
            noun,
            schema: schema.value().clone(),
            required: schema.required().map(str::to_owned).collect(),
        };
        Ok(Self { check: Check::new(schema)?, rules: Arc::new(rules), max_bytes })
    }

    /// Reads and checks the arguments.
    pub(super) async fn validate(
        &self,
        arguments: &RawValue,
    ) -> Result<Map<String, Value>, ArgumentsError> {
        let text = arguments.get();
        if let Some(limit) = self.max_bytes.filter(|&limit| text.len() > limit) {
            let failure = format!("the arguments are larger than the limit of {} KiB", limit >> 10);
            return Err(refused(failure));
        }
        let value = match serde_json::from_str::<Value>(text) {
            Ok(value @ Value::Object(_)) => value,
            Ok(_) => return Err(unreadable("expected an object")),
            Err(error) => return Err(unreadable(&format!("cannot be read ({error})"))),
        };
        // The guest gets the text: what was checked has to be what it reads.
        let Members(members) = serde_json::from_str(text).expect("it was read above");
        if value.as_object().is_some_and(|object| object.len() != members.len()) {
            return Err(unreadable("has an argument twice"));
        }
        let (rules, size) = (Arc::clone(&self.rules), text.len());
        let judged = self.check.run(value, move |validator, value| {
            if validator.is_valid(value) { Ok(()) } else { rules.explain(validator, value, size) }
        });
        match judged.await {
            Ok((Value::Object(arguments), Ok(()))) => Ok(arguments),
            Ok((_, Err(error))) => Err(error),
            Ok((_, Ok(()))) => unreachable!("anything but an object was refused above"),
            Err(TooLong) => Err(unreadable("takes too long to be checked against their schema")),
        }
    }
}

impl Rules {
    /// What is wrong, unless it is only that an optional argument is null, which counts as missing.
    fn explain(
        &self,
        validator: &Validator,
        value: &Value,
        size: usize,
    ) -> Result<(), ArgumentsError> {
        let mut missing = Vec::new();
        let mut failures = Vec::new();
        if size <= EXPLAINED_WHOLE {
            for error in validator.iter_errors(value) {
                self.tell(&error, &mut missing, &mut failures);
            }
        } else if let Err(error) = validator.validate(value) {
            self.tell(&error, &mut missing, &mut failures);
        }
        if missing.is_empty() && failures.is_empty() {
            return Ok(());
        }
        if failures.len() > MAX_FAILURES {
            let n_more = failures.len() - MAX_FAILURES;
            failures.truncate(MAX_FAILURES);
            failures.push(format!("and {n_more} more"));
        }
        // In the order of the schema, as Azure lists them.
        missing.sort_by_key(|name| self.required.iter().position(|required| required == name));
        missing.dedup();
        Err(ArgumentsError { noun: self.noun, missing, failures })
    }

    fn tell(
        &self,
        error: &ValidationError<'_>,
        missing: &mut Vec<String>,
        failures: &mut Vec<String>,
    ) {
        let path = error.instance_path().to_string();
        if let ValidationErrorKind::Required { property } = error.kind()
            && path.is_empty()
            && let Some(name) = property.as_str()
        {
            return missing.push(name.to_owned());
        }
        match self.null_property(error) {
            Some(Null::Optional) => {}
            Some(Null::Argument(name)) => missing.push(name.to_owned()),
            None => {
                let mut line = format!(
                    "{}: {}",
                    if path.is_empty() { "/" } else { &path },
                    reason(error, Values::Hidden)
                );
                line.truncate(line.floor_char_boundary(MAX_LINE));
                failures.push(line);
            }
        }
    }

    /// Whether the fault is a null where the schema wants a value: clients write it for what is missing.
    fn null_property(&self, error: &ValidationError<'_>) -> Option<Null<'_>> {
        if !error.instance().is_null() {
            return None;
        }
        // `/properties/place/properties/floor/type`: of the property that is null, and then of the object
        // that has it.
        let place = error.schema_path().to_string();
        let (property, _keyword) = place.rsplit_once('/')?;
        let (object, name) = property.rsplit_once("/properties/")?;
        let name = name.replace("~1", "/").replace("~0", "~");
        let required = self.schema.pointer(object)?.get("required").and_then(Value::as_array);
        let is_required = required.into_iter().flatten().any(|required| *required == *name);
        match (is_required, object) {
            (false, _) => Some(Null::Optional),
            (true, "") => self
                .required
                .iter()
                .find(|required| **required == name)
                .map(|name| Null::Argument(name)),
            (true, _) => None,
        }
    }
}

/// A null where the schema wants a value.
enum Null<'a> {
    /// Of a property that may be missing.
    Optional,
    /// Of a required argument.
    Argument(&'a str),
}

fn unreadable(reason: &str) -> ArgumentsError {
    refused(format!("/: {reason}"))
}

fn refused(failure: String) -> ArgumentsError {
    ArgumentsError { noun: "arguments", missing: Vec::new(), failures: vec![failure] }
}
