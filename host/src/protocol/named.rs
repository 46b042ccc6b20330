//! What calls a tool or gets a prompt: a name, and arguments.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{error::ProtocolError, raw};

/// The params of such a request.
#[derive(Debug)]
pub(super) struct Named<'a> {
    pub(super) name: Cow<'a, str>,
    /// An object.
    pub(super) arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    // Absent and null mean the same.
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

impl<'a> Named<'a> {
    /// Reads the params.
    pub(super) fn parse(params: &'a str) -> Result<Self, ProtocolError> {
        let Some(Params { name, arguments }) = raw::object(params) else {
            return Err(ProtocolError::Params("`name` or `arguments` comes twice"));
        };
        let name =
            name.and_then(raw::string).ok_or(ProtocolError::Params("`name` must be a string"))?;
        if arguments.is_some_and(|arguments| !arguments.get().starts_with('{')) {
            return Err(ProtocolError::Params("`arguments` must be an object"));
        }
        Ok(Self { name, arguments })
    }
}
