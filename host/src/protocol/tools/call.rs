//! `tools/call`: from params to an invocation.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    function::Function,
    host::Host,
    protocol::{error::ProtocolError, raw},
};

/// The params of a call.
#[derive(Debug)]
pub(in crate::protocol) struct Call<'a> {
    /// The tool.
    pub(in crate::protocol) name: Cow<'a, str>,
    /// An object.
    pub(in crate::protocol) arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    // Absent and null mean the same.
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

impl<'a> Call<'a> {
    /// Reads the params.
    pub(in crate::protocol) fn parse(params: &'a str) -> Result<Self, ProtocolError> {
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

    /// Finds the function behind the tool.
    pub(in crate::protocol) fn function<'h>(
        &self,
        host: &'h Host,
    ) -> Result<&'h Arc<Function>, ProtocolError> {
        host.catalog().tool(&self.name).ok_or_else(|| ProtocolError::Tool(self.name.to_string()))
    }

    /// The arguments, an object.
    pub(in crate::protocol) fn arguments(&self) -> &'a RawValue {
        self.arguments.unwrap_or_else(|| serde_json::from_str("{}").expect("an object is JSON"))
    }
}
