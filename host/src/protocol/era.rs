//! Which revision a request speaks.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Context,
    error::ProtocolError,
    raw,
    revision::{Era, LEGACY, MODERN},
};

/// The header that names the revision.
const HEADER: &str = "mcp-protocol-version";

#[derive(Default, Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
}

/// The `_meta` of some params, an object.
pub(super) fn meta(params: &str) -> Result<Option<&RawValue>, ProtocolError> {
    let Some(Params { meta }) = raw::object(params) else {
        return Err(ProtocolError::Meta("`_meta` comes twice"));
    };
    match meta {
        Some(meta) if !meta.get().starts_with('{') => {
            Err(ProtocolError::Meta("`_meta` must be an object"))
        }
        meta => Ok(meta),
    }
}

/// Finds out which era a request speaks: the one of the version in `_meta`, else of the header, else legacy.
pub(super) fn of_request(
    context: &Context<'_>,
    meta: Option<&RawValue>,
) -> Result<Era, ProtocolError> {
    let header = context.header(HEADER)?;
    let member = match meta {
        Some(meta) => version(meta)?,
        None => None,
    };
    match (member.as_deref(), header) {
        // The header must say what the body says (2026-07-28, streamable-http, Protocol Version Header).
        (Some(member), Some(header)) if member != header => {
            Err(ProtocolError::mismatch("MCP-Protocol-Version", header, member))
        }
        (Some(MODERN), None) if context.headers.is_some() => {
            Err(ProtocolError::Header("MCP-Protocol-Version is missing".to_owned()))
        }
        (None, Some(MODERN)) => {
            Err(ProtocolError::Meta("`_meta` lacks `io.modelcontextprotocol/protocolVersion`"))
        }
        // Without any, 2025-03-26 is meant (2025-06-18 and later, transports); all legacy revisions are answered alike.
        (None, None) => Ok(Era::Legacy),
        (Some(version), _) | (None, Some(version)) => named(version),
    }
}

fn version(meta: &RawValue) -> Result<Option<Cow<'_, str>>, ProtocolError> {
    let Some(Meta { version }) = raw::object(meta.get()) else {
        return Err(ProtocolError::Meta("`io.modelcontextprotocol/protocolVersion` comes twice"));
    };
    let Some(version) = version else { return Ok(None) };
    raw::string(version)
        .map(Some)
        .ok_or(ProtocolError::Meta("`io.modelcontextprotocol/protocolVersion` must be a string"))
}

/// Whether a header alone names the modern revision: for messages that have no `_meta`.
pub(super) fn of_header(context: &Context<'_>) -> Result<Era, ProtocolError> {
    context.header(HEADER)?.map_or(Ok(Era::Legacy), named)
}

fn named(version: &str) -> Result<Era, ProtocolError> {
    match version {
        MODERN => Ok(Era::Modern),
        version if LEGACY.contains(&version) => Ok(Era::Legacy),
        version => Err(ProtocolError::Version { requested: version.to_owned() }),
    }
}
