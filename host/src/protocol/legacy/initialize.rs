//! `initialize`: agrees on a revision and hands out a session to those who want one.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::session::Peer;
use crate::{
    host::Host,
    protocol::{
        Context, Protocol, Reply,
        capabilities::Capabilities,
        client,
        error::ProtocolError,
        jsonrpc::Request,
        modern::envelope::Implementation,
        raw,
        revision::{Era, LEGACY},
    },
};

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, rename = "clientInfo")]
    client: Option<&'a RawValue>,
    #[serde(borrow)]
    capabilities: Option<&'a RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InitializeResult<'a> {
    protocol_version: &'static str,
    capabilities: Capabilities,
    server_info: Implementation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
}

/// The results, written down once, by the place of the revision.
#[derive(Debug)]
pub(in crate::protocol) struct Results([Box<RawValue>; LEGACY.len()]);

impl Results {
    pub(in crate::protocol) fn new(host: &Host) -> Self {
        Self(LEGACY.map(|version| result(version, host)))
    }
}

/// The result for clients that speak this revision.
fn result(version: &'static str, host: &Host) -> Box<RawValue> {
    let server = host.server();
    let result = InitializeResult {
        protocol_version: version,
        capabilities: Capabilities::new(host.catalog(), Era::Legacy),
        server_info: Implementation { name: &server.name, version: &server.version },
        instructions: server.instructions.as_deref(),
    };
    serde_json::value::to_raw_value(&result).expect("a result has a JSON text")
}

/// Echoes the revision that the client wants if it is served here, else names the newest legacy one
/// (2025-11-25, basic/lifecycle, Version Negotiation).
pub(super) fn answer(
    protocol: &Protocol,
    context: &Context<'_>,
    request: &Request<'_>,
) -> Result<Reply, ProtocolError> {
    let params: Option<Params<'_>> = raw::object(&request.params);
    let version = params.as_ref().and_then(|params| params.version).and_then(raw::string);
    let version = version.ok_or(ProtocolError::Params("`protocolVersion` must be a string"))?;
    let client = params.as_ref().and_then(|params| params.client).and_then(client::parse);
    let capabilities = params.and_then(|params| params.capabilities);
    let idx = LEGACY.iter().position(|legacy| *legacy == version).unwrap_or(0);
    let sealer = &protocol.shared.sealer;
    let peer = Peer::introduce(sealer, LEGACY[idx], client, capabilities, context.principal);
    let reply = request.reply(&protocol.initialize.0[idx]);
    match (reply, context.session) {
        (reply, Some(session)) => {
            session.begin(peer);
            Ok(reply)
        }
        // Only the transport that has headers has sessions.
        (Reply::Message { status, body, .. }, None) if context.headers.is_some() => {
            Ok(Reply::Message { status, body, session: Some(peer.id) })
        }
        (reply, None) => Ok(reply),
    }
}
