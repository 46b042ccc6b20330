//! All arguments of one call.

use std::fmt;

use serde::{
    Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{ArgumentError, Property};

/// A struct that takes all arguments of a tool, one per field.
///
/// Implemented by [`derive(ToolArguments)`](derive@crate::ToolArguments) only; the derive shows how.
pub trait ToolArguments: Sized {
    /// The arguments, in the order of the fields.
    fn properties() -> Vec<Property>;

    /// Reads every field.
    fn from_arguments(arguments: &Arguments<'_>) -> Result<Self, ArgumentError>;
}

/// The members of a JSON object, not read yet.
#[derive(Debug)]
pub struct Arguments<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Arguments<'a> {
    /// Splits the text of a JSON object into its members.
    pub fn parse(json: &'a str) -> Result<Self, ArgumentError> {
        serde_json::Deserializer::from_str(json)
            .deserialize_map(Members)
            .map(Self)
            .map_err(|_| ArgumentError::expected("object", json))
    }

    /// Names and JSON texts, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.get()))
    }

    /// The JSON text of an argument, unless it is missing or null.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        // From the end: of two members with the same name the last one counts, as everywhere.
        let (_, value) = self.0.iter().rev().find(|(key, _)| key == name)?;
        Some(value.get()).filter(|json| *json != "null")
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::with_capacity(map.size_hint().unwrap_or(4));
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
