//! Revision 2026-07-28: stateless, every request says all about itself.

pub(super) mod discover;
pub(super) mod envelope;
pub(super) mod headers;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Context, Protocol, Reply, client,
    error::ProtocolError,
    jsonrpc::Request,
    method::Method,
    raw,
    revision::Era,
    tools::{self, Call, CallResult},
};
use crate::function::{Caller, Client};

/// What every request says about itself.
#[derive(Deserialize)]
struct RequestMeta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<&'a RawValue>,
}

/// Answers a request.
pub(super) async fn answer(
    protocol: &Protocol,
    context: &Context<'_>,
    request: &Request<'_>,
    method: Option<Method>,
    meta: Option<&RawValue>,
) -> Result<Reply, ProtocolError> {
    let client = check_meta(meta)?;
    headers::check_method(context, &request.method)?;
    match method {
        Some(Method::Discover) => Ok(request.reply(&protocol.discover)),
        Some(Method::ToolsList) => {
            tools::check_cursor(&request.params)?;
            Ok(request.reply(protocol.tools.list(Era::Modern)))
        }
        Some(Method::ToolsCall) => {
            let call = Call::parse(&request.params)?;
            headers::check_name(context, &call.name)?;
            let function = call.function(&protocol.host)?;
            protocol.tools.check_headers(context, function, call.arguments)?;
            let caller = Caller {
                client,
                principal: context.principal.map(str::to_owned),
                headers: tools::listed_headers(context, function),
                meta: meta.map(ToOwned::to_owned),
                ..Caller::unknown(context.transport)
            };
            let outcome = call.run(&protocol.host, function, caller).await;
            Ok(request.reply(CallResult::modern(&outcome, &protocol.server)))
        }
        // Both went with 2026-07-28 (changelog).
        Some(Method::Initialize | Method::Ping) | None => {
            Err(ProtocolError::Method { method: request.method.to_string(), era: Era::Modern })
        }
    }
}

/// Checks what a request must say about itself (2026-07-28, basic/index, `_meta`) and takes who sent it.
fn check_meta(meta: Option<&RawValue>) -> Result<Option<Client>, ProtocolError> {
    let meta: Option<RequestMeta<'_>> = meta.and_then(|meta| raw::object(meta.get()));
    let Some(meta) = meta else {
        return Err(ProtocolError::Meta("a member of `_meta` comes twice"));
    };
    if !meta.capabilities.is_some_and(|capabilities| capabilities.get().starts_with('{')) {
        return Err(ProtocolError::Meta(
            "`_meta` lacks `io.modelcontextprotocol/clientCapabilities`, an object",
        ));
    }
    Ok(meta.client.and_then(client::parse))
}
