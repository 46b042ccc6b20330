//! The Model Context Protocol: one message in, at most one out, in the era that the message itself speaks.
//!
//! Five revisions are served on one endpoint. A request that names 2026-07-28 is answered by `modern`, any
//! other by `legacy`; the method families (`tools`, `resources`, `prompts`, `completion`, `skills`) are shared, and
//! know eras only where their results differ. Nothing here knows what carried the message but for its headers. What
//! is kept between messages is in `state`, or in the session of a stream. `error` is the only place with codes.

mod asking;
mod cancellation;
mod capabilities;
mod changes;
mod client;
mod completion;
mod content;
mod era;
mod error;
mod framed;
mod jsonrpc;
mod legacy;
mod listed_headers;
mod listener;
mod listing;
mod live;
mod method;
mod modern;
mod named;
mod outgoing;
mod prompts;
mod raw;
mod resources;
mod revision;
mod run;
#[cfg(test)]
mod sample;
mod shared;
mod skills;
mod subscriptions;
mod tasks;
mod tools;
mod unwinding;

pub(crate) use self::error::refusal;
pub use self::{
    cancellation::{Calls, Ticket},
    legacy::{
        Session,
        inbox::Inbox,
        stream::{Event, EventLog, Reader},
    },
    live::Live,
    outgoing::Outgoing,
    shared::Shared,
    subscriptions::Subscription,
};

use std::{borrow::Cow, pin::pin, sync::Arc};

use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::sync::watch;
use tracing::{Instrument, debug, error};

use self::{
    error::ProtocolError,
    jsonrpc::{Malformed, Request},
    method::{List, Method},
    modern::envelope::ServerMeta,
    prompts::Prompts,
    resources::Resources,
    revision::Era,
    skills::Skills,
    tools::Tools,
    unwinding::{Panic, unwinding},
};
use crate::{function::TransportKind, host::Host, telemetry};

/// What came with a message.
#[derive(Debug)]
pub struct Context<'a> {
    /// What carried it.
    pub transport: TransportKind,
    /// The headers, where there is such a layer. Without it, no rule about headers holds.
    pub headers: Option<&'a dyn Headers>,
    /// The authenticated caller.
    pub principal: Option<&'a str>,
    /// The session of the stream that it came on, where a stream is one client.
    pub session: Option<&'a Session>,
    /// Where to put what is sent before the answer. Without it, nothing can be.
    pub outgoing: Option<&'a Outgoing>,
    /// Changes when nothing more is taken in, so that no answer of the client can come.
    pub stopped: Option<&'a watch::Receiver<()>>,
}

/// The headers of a message. Names are in lower case.
pub trait Headers: std::fmt::Debug + Sync {
    /// The one value, without white space around it.
    fn get(&self, name: &str) -> Result<Option<&str>, Unreadable>;

    /// All values, joined with commas. None: there is none, or one that is not visible ASCII.
    fn joined(&self, name: &str) -> Option<String>;
}

/// A header that comes twice or is not visible ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// A message that was read, or what is wrong with it.
#[derive(Debug)]
pub struct Message<'a>(Result<jsonrpc::Message<'a>, Malformed>);

/// What a message gets.
#[derive(Debug)]
pub enum Reply {
    /// It was taken in, and there is nothing to say.
    Accepted,
    /// One message.
    Message {
        /// What kind of answer it is.
        status: Status,
        /// The message.
        body: Bytes,
        /// The session that begins with it.
        session: Option<String>,
    },
    /// A stream of messages, which does not end by itself.
    Stream(Box<Subscription>),
}

/// What kind of answer a message is, for a transport that says so itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// An answer to a well-formed request, be it a result or an error.
    Ok,
    /// The message, its headers or its `_meta` are wrong.
    BadRequest,
    /// The method is not served.
    NotFound,
    /// The fault is ours.
    Internal,
}

/// Answers messages for one host.
#[derive(Debug)]
pub struct Protocol {
    host: Arc<Host>,
    shared: Shared,
    server: ServerMeta,
    // A result that says nothing, in the modern era and before.
    empty: Box<RawValue>,
    nothing: Box<RawValue>,
    discover: Box<RawValue>,
    initialize: legacy::initialize::Results,
    tools: Tools,
    resources: Resources,
    prompts: Prompts,
    skills: Skills,
}

impl Protocol {
    /// Writes down all answers that do not depend on the request.
    pub fn new(host: Arc<Host>, shared: Shared) -> Self {
        let server = ServerMeta::new(&host.server().name, &host.server().version);
        Self {
            empty: modern::envelope::empty(&server),
            nothing: RawValue::from_string("{}".to_owned()).expect("an empty object is JSON"),
            shared,
            discover: modern::discover::result(&host, &server),
            initialize: legacy::initialize::Results::new(&host),
            tools: Tools::new(&host, &server),
            resources: Resources::new(host.catalog(), &server),
            prompts: Prompts::new(host.catalog(), &server),
            skills: Skills::new(host.catalog(), &server),
            server,
            host,
        }
    }

    /// Answers one message. Dropping the future cancels what the message asked for.
    pub async fn handle(&self, context: &Context<'_>, message: Message<'_>) -> Reply {
        match message.0 {
            Ok(jsonrpc::Message::Request(request)) => self.request(context, &request).await,
            // An unknown notification is no error (JSON-RPC 2.0, 4.1); an unknown revision is.
            Ok(jsonrpc::Message::Notification(notification)) => match era::of_header(context) {
                Ok(Era::Modern) => Reply::Accepted,
                Ok(Era::Legacy) => {
                    legacy::notified(self, context, &notification).await;
                    Reply::Accepted
                }
                Err(error) => error.reply(None),
            },
            // In the modern era a client is asked nothing that it would answer so.
            Ok(jsonrpc::Message::Response(response)) => match era::of_header(context) {
                Ok(Era::Legacy) => {
                    if let Some(peer) = legacy::peer(self, context) {
                        legacy::answered(self, &peer, &response).await;
                    }
                    Reply::Accepted
                }
                Ok(Era::Modern) => {
                    ProtocolError::Request("a client sends no responses").reply(None)
                }
                Err(error) => error.reply(None),
            },
            Err(malformed) => {
                let error = &malformed.error;
                debug!(code = error.code(), kind = error.kind(), "malformed message");
                error.reply(malformed.id.as_deref())
            }
        }
    }

    async fn request(&self, context: &Context<'_>, request: &Request<'_>) -> Reply {
        let method = Method::parse(&request.method);
        let span = telemetry::request(method.map_or("unknown", Method::as_str));
        let reply = async {
            match unwinding(pin!(self.answer(context, request, method))).await {
                Ok(Ok(reply)) => reply,
                Ok(Err(error)) => {
                    debug!(code = error.code(), kind = error.kind(), "refused request");
                    error.reply(request.id.as_deref())
                }
                Err(Panic) => {
                    error!("panicked while answering a request");
                    ProtocolError::Internal.reply(request.id.as_deref())
                }
            }
        };
        pin!(reply).instrument(span).await
    }

    async fn answer(
        &self,
        context: &Context<'_>,
        request: &Request<'_>,
        method: Option<Method>,
    ) -> Result<Reply, ProtocolError> {
        let meta = era::meta(&request.params)?;
        match era::of_request(context, meta)? {
            Era::Modern => modern::answer(self, context, request, method, meta).await,
            Era::Legacy => legacy::answer(self, context, request, method, meta).await,
        }
    }
}

impl Protocol {
    /// Answers from what is written down.
    fn list(&self, list: List, era: Era, request: &Request<'_>) -> Result<Reply, ProtocolError> {
        let params = &*request.params;
        let result = match list {
            List::Tools => self.tools.list(era, params)?,
            List::Resources => self.resources.list(era, params)?,
            List::Templates => self.resources.templates(era, params)?,
            List::Directory => self.skills.directory(era, params)?,
            List::Prompts => self.prompts.list(era, params)?,
            List::Skills => self.skills.list(era, params)?,
            List::Skill => Cow::Owned(self.skills.get(era, params)?),
        };
        Ok(request.reply(&*result))
    }
}

impl<'a> Message<'a> {
    /// Reads one message.
    pub fn parse(body: &'a [u8]) -> Self {
        Self(jsonrpc::parse(body))
    }

    /// The same, free of the bytes that it was read from.
    pub fn into_owned(self) -> Message<'static> {
        Message(self.0.map(jsonrpc::Message::into_owned))
    }

    /// The answer to a request for which there is no place.
    pub fn busy(&self) -> Reply {
        match &self.0 {
            Ok(jsonrpc::Message::Request(request)) => {
                ProtocolError::Busy.reply(request.id.as_deref())
            }
            _ => Reply::Accepted,
        }
    }
}

impl<'a> Context<'a> {
    /// Of a message of whose sender nothing else is known.
    pub fn of(transport: TransportKind, headers: Option<&'a dyn Headers>) -> Self {
        Self { transport, headers, principal: None, session: None, outgoing: None, stopped: None }
    }

    /// One header, where there are any.
    fn header(&self, name: &str) -> Result<Option<&'a str>, ProtocolError> {
        let Some(headers) = self.headers else { return Ok(None) };
        headers.get(name).map_err(|Unreadable| {
            ProtocolError::Header(format!(
                "{name} comes twice or has characters that are not visible ASCII"
            ))
        })
    }
}
