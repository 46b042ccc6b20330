//! `resources/read`: from params to an invocation.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    function::{Catalog, Function, Json, arguments_of},
    protocol::{error::ProtocolError, raw, revision::Era},
};

/// The params of a read.
#[derive(Debug)]
pub(in crate::protocol) struct Read<'a> {
    /// The resource.
    pub(in crate::protocol) uri: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    uri: Option<&'a RawValue>,
}

impl<'a> Read<'a> {
    /// Reads the params.
    pub(in crate::protocol) fn parse(params: &'a str) -> Result<Self, ProtocolError> {
        let Some(Params { uri }) = raw::object(params) else {
            return Err(ProtocolError::Params("`uri` comes twice"));
        };
        let uri =
            uri.and_then(raw::string).ok_or(ProtocolError::Params("`uri` must be a string"))?;
        Ok(Self { uri })
    }

    /// Finds the function that the URI is read from, and its arguments, which the URI holds.
    pub(in crate::protocol) fn function<'c>(
        &self,
        catalog: &'c Catalog,
        era: Era,
    ) -> Result<(&'c Arc<Function>, Json), ProtocolError> {
        let found = catalog.resource(&self.uri);
        let (function, variables) =
            found.ok_or_else(|| ProtocolError::Resource { uri: self.uri.to_string(), era })?;
        Ok((function, arguments_of(variables)))
    }
}
