//! Revisions 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05: what they ask for and 2026-07-28 does not.
//!
//! No session is kept on HTTP, so none can be lost: its id says all there is to know of the client, and a client that
//! sends none, or one that is not ours, is served as one of whom nothing is known. The four are answered alike, since
//! what the later ones added (`title`, `structuredContent`, `icons`) is what the earlier ones tell clients to ignore.

mod bridge;
mod cancel;
pub(super) mod inbox;
pub(super) mod initialize;
mod log_level;
mod session;
pub(super) mod stream;

pub use self::session::Session;
pub(super) use self::{bridge::answered, session::Peer};

use std::{
    borrow::Cow,
    pin::{Pin, pin},
    sync::Arc,
};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Context, Protocol, Reply,
    completion::{self, Complete},
    error::ProtocolError,
    jsonrpc::Request,
    listed_headers::listed_headers,
    listener::Wanted,
    method::Method,
    modern::is_token,
    prompts::{self, Get},
    raw,
    resources::{self, Read},
    revision::Era,
    run::Ended,
    subscriptions::{Follow, MAX_URI, follow},
    tools::{Call, CallResult},
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
        Some(Method::List(list)) => protocol.list(list, Era::Legacy, request),
        Some(Method::ToolsCall) => {
            let call = Call::parse(&request.params)?;
            let function = call.function(&protocol.host)?;
            if function.task() == TaskSupport::Required {
                let refused = Err("the tool runs as a task, and this server runs tasks only for \
                                   clients of 2026-07-28"
                    .to_owned());
                return Ok(request.reply(CallResult::legacy(&refused)));
            }
            let job = Job { context, request, meta, function, arguments: call.arguments() };
            let Some(ended) = job.run(protocol).await? else { return Ok(Reply::Accepted) };
            let outcome = ended.map_err(|fault| fault.public_message());
            Ok(request.reply(CallResult::legacy(&outcome)))
        }
        Some(Method::ResourcesRead) => {
            let read = Read::parse(&request.params)?;
            if let Some(reply) = resources::file(protocol, request, Era::Legacy, &read) {
                return Ok(reply);
            }
            let (function, arguments) = read.function(protocol.host.catalog(), Era::Legacy)?;
            let job = Job { context, request, meta, function, arguments: &arguments };
            let Some(ended) = job.run(protocol).await? else { return Ok(Reply::Accepted) };
            resources::reply(protocol, request, Era::Legacy, &read, function, ended)
        }
        Some(Method::PromptsGet) => {
            let get = Get::parse(&request.params)?;
            let (function, arguments) = get.function(protocol.host.catalog())?;
            let job = Job { context, request, meta, function, arguments: &arguments };
            let Some(ended) = job.run(protocol).await? else { return Ok(Reply::Accepted) };
            prompts::reply(protocol, request, Era::Legacy, function, ended)
        }
        Some(Method::CompletionComplete) => {
            let complete = Complete::parse(&request.params)?;
            let peer = peer(protocol, context);
            let caller = |function: &Function| caller(context, peer.as_deref(), meta, function);
            let complete =
                pin!(completion::complete(protocol, request, Era::Legacy, &complete, caller));
            let peer = peer.as_deref();
            match unless_cancelled(protocol, context, peer, request, complete).await {
                Some(reply) => reply,
                None => Ok(Reply::Accepted),
            }
        }
        Some(Method::ResourcesSubscribe) => {
            subscribe(protocol, context, request, Follow::Begin).await
        }
        Some(Method::ResourcesUnsubscribe) => {
            subscribe(protocol, context, request, Follow::End).await
        }
        // All of them are of 2026-07-28.
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
        let caller = caller(self.context, peer, self.meta, self.function);
        let invocation = Invocation {
            listener: Some(wanted.listener(
                self.context.outgoing,
                &protocol.shared.changes,
                self.function.trigger.name(),
            )),
            ..Invocation::new(Arc::clone(self.function), self.arguments.to_owned(), caller)
        };
        let run = pin!(bridge::run(protocol, self.context, peer, invocation));
        Ok(unless_cancelled(protocol, self.context, peer, self.request, run).await)
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

/// Waits for what a request comes to. None: its client cancelled it.
async fn unless_cancelled<T>(
    protocol: &Protocol,
    context: &Context<'_>,
    peer: Option<&Peer>,
    request: &Request<'_>,
    run: Pin<&mut impl Future<Output = T>>,
) -> Option<T> {
    // On a stream, the stream itself knows which calls were cancelled.
    let (Some(peer), Some(id), None) = (peer, &request.id, context.session) else {
        return Some(run.await);
    };
    tokio::select! {
        biased;
        () = cancel::wait(protocol, peer, id) => None,
        ended = run => Some(ended),
    }
}

/// Who asks for a function.
fn caller(
    context: &Context<'_>,
    peer: Option<&Peer>,
    meta: Option<&RawValue>,
    function: &Function,
) -> Caller {
    Caller {
        client: peer.and_then(|peer| peer.client.clone()),
        capabilities: peer.map(|peer| peer.capabilities.clone()),
        session: peer.map(Peer::pseudonym),
        principal: context.principal.map(str::to_owned),
        headers: listed_headers(context, function),
        meta: meta.map(ToOwned::to_owned),
        ..Caller::unknown(context.transport)
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
    if uri.len() > MAX_URI {
        return Err(ProtocolError::Params("`uri` is longer than 8 KiB"));
    }
    let catalog = protocol.host.catalog();
    if catalog.resource(&uri).is_none() && catalog.file(&uri).is_none() {
        return Err(ProtocolError::Resource { uri: uri.into_owned(), era: Era::Legacy });
    }
    // Without a session there is no stream on which the client could be told.
    if let Some(peer) = peer(protocol, context) {
        let mailbox = &*protocol.shared.mailbox;
        follow(mailbox, &peer.id, what, &uri).await.map_err(|_| ProtocolError::Busy)?;
    }
    Ok(request.reply(&protocol.nothing))
}
