//! `prompts/get`: from params to an invocation.

use std::{borrow::Cow, sync::Arc};

use serde_json::value::RawValue;

use crate::{
    function::{Catalog, Function, Json},
    protocol::{error::ProtocolError, named::Named, raw},
};

/// The params of a get.
#[derive(Debug)]
pub(in crate::protocol) struct Get<'a> {
    /// The prompt.
    pub(in crate::protocol) name: Cow<'a, str>,
    /// An object.
    arguments: Option<&'a RawValue>,
}

impl<'a> Get<'a> {
    /// Reads the params.
    pub(in crate::protocol) fn parse(params: &'a str) -> Result<Self, ProtocolError> {
        let Named { name, arguments } = Named::parse(params)?;
        Ok(Self { name, arguments })
    }

    /// Finds the function behind the prompt, and its arguments.
    pub(in crate::protocol) fn function<'c>(
        &self,
        catalog: &'c Catalog,
    ) -> Result<(&'c Arc<Function>, Json), ProtocolError> {
        let function = catalog
            .prompt(&self.name)
            .ok_or_else(|| ProtocolError::Prompt(self.name.to_string()))?;
        Ok((function, raw::arguments(self.arguments)))
    }
}
