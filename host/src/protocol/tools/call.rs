//! `tools/call`: from params to an invocation.

use std::{borrow::Cow, sync::Arc};

use serde_json::value::RawValue;

use crate::{
    function::Function,
    host::Host,
    protocol::{error::ProtocolError, named::Named},
};

/// The params of a call.
#[derive(Debug)]
pub(in crate::protocol) struct Call<'a> {
    /// The tool.
    pub(in crate::protocol) name: Cow<'a, str>,
    /// An object.
    pub(in crate::protocol) arguments: Option<&'a RawValue>,
}

impl<'a> Call<'a> {
    /// Reads the params.
    pub(in crate::protocol) fn parse(params: &'a str) -> Result<Self, ProtocolError> {
        let Named { name, arguments } = Named::parse(params)?;
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
