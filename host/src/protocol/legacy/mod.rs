//! Revisions 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05: what they ask for and 2026-07-28 does not.
//!
//! No session is kept on HTTP, so none can be lost: a client that sends none, or one of another host, is served.
//! The four are answered alike, since what the later ones added (`title`, `structuredContent`, `icons`) is what
//! the earlier ones tell clients to ignore.

pub(super) mod initialize;
mod session;

pub use self::session::Session;

use serde_json::{json, value::RawValue};

use super::{
    Context, Protocol, Reply,
    error::ProtocolError,
    jsonrpc::Request,
    method::Method,
    revision::Era,
    tools::{self, Call, CallResult},
};
use crate::function::Caller;

/// The longest session id that a function gets to see.
const MAX_SESSION_LENGTH: usize = 1024;

/// Answers a request.
pub(super) async fn answer(
    protocol: &Protocol,
    context: &Context<'_>,
    request: &Request<'_>,
    method: Option<Method>,
    meta: Option<&RawValue>,
) -> Result<Reply, ProtocolError> {
    match method {
        Some(Method::Initialize) => initialize::answer(protocol, context, request),
        Some(Method::Ping) => Ok(request.reply(json!({}))),
        Some(Method::ToolsList) => {
            tools::check_cursor(&request.params)?;
            Ok(request.reply(protocol.tools.list(Era::Legacy)))
        }
        Some(Method::ToolsCall) => {
            let call = Call::parse(&request.params)?;
            let function = call.function(&protocol.host)?;
            let caller = Caller {
                client: context.session.and_then(Session::client).cloned(),
                session: session_id(context),
                principal: context.principal.map(str::to_owned),
                headers: tools::listed_headers(context, function),
                meta: meta.map(ToOwned::to_owned),
                ..Caller::unknown(context.transport)
            };
            let outcome = call.run(&protocol.host, function, caller).await;
            Ok(request.reply(CallResult::legacy(&outcome)))
        }
        Some(Method::Discover) | None => {
            Err(ProtocolError::Method { method: request.method.to_string(), era: Era::Legacy })
        }
    }
}

/// Takes note of a notification.
pub(super) fn notified(context: &Context<'_>, notification: &Request<'_>) {
    if let Some(session) = context.session
        && notification.method == "notifications/initialized"
    {
        session.finish();
    }
}

/// The session that the client says it is in.
fn session_id(context: &Context<'_>) -> Option<String> {
    let session = context.headers?.get("mcp-session-id").ok()??;
    (!session.is_empty() && session.len() <= MAX_SESSION_LENGTH).then(|| session.to_owned())
}
