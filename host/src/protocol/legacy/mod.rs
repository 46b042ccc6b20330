//! Revisions 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05: what they ask for and 2026-07-28 does not.
//!
//! No session is kept on HTTP, so none can be lost: its id says all there is to know of the client, and a client that
//! sends none, or one that is not ours, is served as one of whom nothing is known. The four are answered alike, since
//! what the later ones added (`title`, `structuredContent`, `icons`) is what the earlier ones tell clients to ignore.

mod bridge;
mod cancel;
pub(super) mod initialize;
mod log_level;
mod session;
pub(super) mod stream;

pub use self::session::Session;
pub(super) use self::{bridge::answered, session::Peer};

use std::{borrow::Cow, pin::pin, sync::Arc};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Context, Protocol, Reply,
    error::ProtocolError,
    jsonrpc::Request,
    listener::Wanted,
    method::Method,
    modern::is_token,
    raw,
    revision::Era,
    run::Ended,
    subscriptions::{Follow, follow},
    tools::{self, Call, CallResult},
};
use crate::function::{Caller, Function, Invocation, TaskSupport};

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "progressToken")]
    progress_token: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Resource<'a> {
    #[serde(borrow)]
    uri: Option<&'a RawValue>,
}

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
        Some(Method::Ping) => Ok(request.reply(&protocol.nothing)),
        Some(Method::SetLevel) => {
            log_level::set(protocol, context, &request.params).await?;
            Ok(request.reply(&protocol.nothing))
        }
        Some(Method::ToolsList) => {
            tools::check_cursor(&request.params)?;
            Ok(request.reply(protocol.tools.list(Era::Legacy)))
        }
        Some(Method::ToolsCall) => {
            let call = Call::parse(&request.params)?;
            let function = call.function(&protocol.host)?;
            if function.task() == TaskSupport::Required {
                let refused =
                    Err("the tool runs only as a task, which this revision of the protocol does \
                                   not have"
                        .to_owned());
                return Ok(request.reply(CallResult::legacy(&refused)));
            }
            let job = Job { context, request, meta, function, arguments: call.arguments() };
            let Some(ended) = job.run(protocol).await? else { return Ok(Reply::Accepted) };
            let outcome = ended.map_err(|fault| fault.public_message());
            Ok(request.reply(CallResult::legacy(&outcome)))
        }
        Some(Method::ResourcesSubscribe) => {
            subscribe(protocol, context, request, Follow::Begin).await
        }
        Some(Method::ResourcesUnsubscribe) => {
            subscribe(protocol, context, request, Follow::End).await
        }
        Some(
            Method::Discover
            | Method::TasksGet
            | Method::TasksUpdate
            | Method::TasksCancel
            | Method::Listen,
        )
        | None => {
            Err(ProtocolError::Method { method: request.method.to_string(), era: Era::Legacy })
        }
    }
}

/// A request for a function.
struct Job<'a> {
    context: &'a Context<'a>,
    request: &'a Request<'a>,
    meta: Option<&'a RawValue>,
    function: &'a Arc<Function>,
    arguments: &'a RawValue,
}

impl Job<'_> {
    /// Runs it. None: the client cancelled it, and nothing may be sent for it any more.
    async fn run(&self, protocol: &Protocol) -> Result<Option<Ended>, ProtocolError> {
        let peer = peer(protocol, self.context);
        let peer = peer.as_deref();
        let wanted = Wanted {
            progress_token: self.progress_token()?,
            log_level: log_level::get(protocol, self.context, peer).await,
        };
        let caller = Caller {
            client: peer.and_then(|peer| peer.client.clone()),
            capabilities: peer.map(|peer| peer.capabilities.clone()),
            session: peer.map(|peer| peer.id.clone()),
            principal: self.context.principal.map(str::to_owned),
            headers: tools::listed_headers(self.context, self.function),
            meta: self.meta.map(ToOwned::to_owned),
            ..Caller::unknown(self.context.transport)
        };
        let invocation = Invocation {
            listener: Some(wanted.listener(
                self.context.outgoing,
                &protocol.shared.changes,
                self.function.trigger.name(),
            )),
            ..Invocation::new(Arc::clone(self.function), self.arguments.to_owned(), caller)
        };
        let run = pin!(bridge::run(protocol, self.context, peer, invocation));
        // On a stream, the stream itself knows which calls were cancelled.
        let (Some(peer), Some(id), None) = (peer, &self.request.id, self.context.session) else {
            return Ok(Some(run.await));
        };
        tokio::select! {
            biased;
            () = cancel::wait(protocol, peer, id) => Ok(None),
            ended = run => Ok(Some(ended)),
        }
    }

    fn progress_token(&self) -> Result<Option<&RawValue>, ProtocolError> {
        let Some(meta) = self.meta else { return Ok(None) };
        let Some(Meta { progress_token }) = raw::object(meta.get()) else {
            return Err(ProtocolError::Meta("a member of `_meta` comes twice"));
        };
        match progress_token {
            Some(token) if !is_token(token) => {
                Err(ProtocolError::Meta("`progressToken` must be a string or an integer"))
            }
            token => Ok(token),
        }
    }
}

/// Takes note of a notification.
pub(super) async fn notified(
    protocol: &Protocol,
    context: &Context<'_>,
    notification: &Request<'_>,
) {
    match (&*notification.method, context.session) {
        ("notifications/initialized", Some(session)) => session.finish(),
        ("notifications/cancelled", None) => {
            if let Some(peer) = peer(protocol, context) {
                cancel::post(protocol, &peer, &notification.params).await;
            }
        }
        _ => {}
    }
}

/// The client that a request came from, as far as it is known.
pub(super) fn peer<'a>(protocol: &Protocol, context: &Context<'a>) -> Option<Cow<'a, Peer>> {
    match context.session {
        Some(session) => session.peer().map(Cow::Borrowed),
        None => Peer::of_request(context, &protocol.shared.sealer).map(Cow::Owned),
    }
}

async fn subscribe(
    protocol: &Protocol,
    context: &Context<'_>,
    request: &Request<'_>,
    what: Follow,
) -> Result<Reply, ProtocolError> {
    let params: Option<Resource<'_>> = raw::object(&request.params);
    let uri = params.and_then(|params| params.uri).and_then(raw::string);
    let uri = uri.ok_or(ProtocolError::Params("`uri` must be a string"))?;
    // Without a session there is no stream on which the client could be told.
    if let Some(peer) = peer(protocol, context) {
        let mailbox = &*protocol.shared.mailbox;
        follow(mailbox, &peer.id, what, &uri).await.map_err(|_| ProtocolError::Busy)?;
    }
    Ok(request.reply(&protocol.nothing))
}
