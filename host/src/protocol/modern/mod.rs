//! Revision 2026-07-28: stateless, every request says all about itself.

pub(super) mod discover;
pub(super) mod envelope;
pub(super) mod headers;
mod run;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use self::run::Job;
use super::{
    Context, Protocol, Reply,
    asking::Subject,
    client::{self, Abilities},
    completion::{self, Complete},
    error::ProtocolError,
    jsonrpc::Request,
    listener,
    method::Method,
    prompts::{self, Get},
    raw,
    resources::{self, Read},
    revision::Era,
    run::Ended,
    subscriptions::{Filter, Subscription},
    tasks,
    tools::{Call, CallResult},
};
use crate::{
    function::{Client, Function, LogLevel},
    state::TaskId,
};

/// What every request says about itself.
#[derive(Debug)]
struct RequestMeta<'a> {
    object: &'a RawValue,
    /// An object.
    capabilities: &'a RawValue,
    client: Option<&'a RawValue>,
    progress_token: Option<&'a RawValue>,
    log_level: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    client: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/logLevel")]
    log_level: Option<&'a RawValue>,
    #[serde(borrow, rename = "progressToken")]
    progress_token: Option<&'a RawValue>,
}

/// Answers a request.
pub(super) async fn answer(
    protocol: &Protocol,
    context: &Context<'_>,
    request: &Request<'_>,
    method: Option<Method>,
    meta: Option<&RawValue>,
) -> Result<Reply, ProtocolError> {
    let meta = RequestMeta::parse(meta)?;
    headers::check_method(context, &request.method)?;
    let job = |subject, function| Job { context, request, meta: &meta, subject, function };
    let caller = |function: &Function| run::caller(context, &meta, function);
    let principal = context.principal;
    match method {
        Some(Method::Discover) => Ok(request.reply(&protocol.discover)),
        Some(Method::List(list)) => protocol.list(list, Era::Modern, request),
        Some(Method::ToolsCall) => {
            let call = Call::parse(&request.params)?;
            headers::check_name(context, &call.name)?;
            let function = call.function(&protocol.host)?;
            protocol.tools.check_headers(context, function, call.arguments)?;
            let (name, arguments) = (function.trigger.name(), call.arguments());
            let subject = Subject { method: "tools/call", name, arguments, principal };
            let reply = |ended: Ended| {
                let outcome = ended.map_err(|fault| fault.public_message());
                Ok(request.reply(CallResult::modern(&outcome, &protocol.server)))
            };
            job(subject, function).reply(protocol, reply).await
        }
        Some(Method::ResourcesRead) => {
            let read = Read::parse(&request.params)?;
            headers::check_name(context, &read.uri)?;
            if let Some(reply) = resources::file(protocol, request, Era::Modern, &read) {
                return Ok(reply);
            }
            let (function, arguments) = read.function(protocol.host.catalog(), Era::Modern)?;
            let (name, arguments) = (&*read.uri, &*arguments);
            let subject = Subject { method: "resources/read", name, arguments, principal };
            let reply =
                |ended| resources::reply(protocol, request, Era::Modern, &read, function, ended);
            job(subject, function).reply(protocol, reply).await
        }
        Some(Method::PromptsGet) => {
            let get = Get::parse(&request.params)?;
            headers::check_name(context, &get.name)?;
            let (function, arguments) = get.function(protocol.host.catalog())?;
            let (name, arguments) = (function.trigger.name(), &*arguments);
            let subject = Subject { method: "prompts/get", name, arguments, principal };
            let reply = |ended| prompts::reply(protocol, request, Era::Modern, function, ended);
            job(subject, function).reply(protocol, reply).await
        }
        Some(Method::CompletionComplete) => {
            let complete = Complete::parse(&request.params)?;
            completion::complete(protocol, request, Era::Modern, &complete, caller).await
        }
        Some(Method::TasksGet) => {
            let id = task(context, request, &meta)?;
            let runner = &protocol.shared.tasks;
            let got = tasks::get(runner, &id, context.principal, &protocol.server).await?;
            Ok(request.reply(got))
        }
        Some(Method::TasksUpdate) => {
            let id = task(context, request, &meta)?;
            let runner = &protocol.shared.tasks;
            tasks::update(runner, &id, context.principal, &request.params).await?;
            Ok(request.reply(&protocol.empty))
        }
        Some(Method::TasksCancel) => {
            let id = task(context, request, &meta)?;
            tasks::cancel(&protocol.shared.tasks, &id, context.principal).await?;
            Ok(request.reply(&protocol.empty))
        }
        Some(Method::Listen) => {
            let filter = Filter::parse(&request.params)?;
            if filter.names_tasks() && !meta.abilities().tasks {
                return Err(Abilities::needs_tasks());
            }
            let id = request.id.as_deref().expect("a request has an id");
            let (changes, tasks) = (&protocol.shared.changes, protocol.shared.tasks.store());
            let tasks = Arc::clone(tasks);
            let subscription = Subscription::modern(changes, tasks, id, filter, principal);
            Ok(Reply::Stream(Box::new(subscription)))
        }
        // All of them went with 2026-07-28 (changelog).
        Some(
            Method::Initialize
            | Method::Ping
            | Method::SetLevel
            | Method::ResourcesSubscribe
            | Method::ResourcesUnsubscribe,
        )
        | None => {
            Err(ProtocolError::Method { method: request.method.to_string(), era: Era::Modern })
        }
    }
}

/// The task that a request is about, of a client that takes tasks.
fn task(
    context: &Context<'_>,
    request: &Request<'_>,
    meta: &RequestMeta<'_>,
) -> Result<TaskId, ProtocolError> {
    let id = tasks::id_of(&request.params)?;
    headers::check_name(context, &id.0)?;
    if meta.abilities().tasks { Ok(id) } else { Err(Abilities::needs_tasks()) }
}

impl<'a> RequestMeta<'a> {
    /// Checks what a request must say about itself (2026-07-28, basic/index, `_meta`).
    fn parse(meta: Option<&'a RawValue>) -> Result<Self, ProtocolError> {
        let Some(object) = meta else {
            return Err(ProtocolError::Meta("`_meta` is missing"));
        };
        let Some(wire) = raw::object::<Wire<'a>>(object.get()) else {
            return Err(ProtocolError::Meta("a member of `_meta` comes twice"));
        };
        let capabilities = wire.capabilities.filter(|it| it.get().starts_with('{'));
        let capabilities = capabilities.ok_or(ProtocolError::Meta(
            "`_meta` lacks `io.modelcontextprotocol/clientCapabilities`, an object",
        ))?;
        let progress_token = wire.progress_token;
        if progress_token.is_some_and(|token| !is_token(token)) {
            return Err(ProtocolError::Meta("`progressToken` must be a string or an integer"));
        }
        let Wire { client, log_level, .. } = wire;
        Ok(Self { object, capabilities, client, progress_token, log_level })
    }

    fn client(&self) -> Option<Client> {
        self.client.and_then(client::parse)
    }

    fn abilities(&self) -> Abilities {
        Abilities::parse(self.capabilities.get())
    }

    /// From which level on the client wants lines of the log. None: it wants none.
    fn log_level(&self) -> Result<Option<LogLevel>, ProtocolError> {
        let Some(level) = self.log_level else { return Ok(None) };
        let threshold = raw::string(level).and_then(|name| listener::threshold(&name));
        threshold.map(listener::Threshold::level).ok_or(ProtocolError::Meta(
            "`io.modelcontextprotocol/logLevel` must be one of debug, info, notice, warning, error, critical, alert, emergency",
        ))
    }
}

/// Whether it is what progress may be known by.
pub(super) fn is_token(token: &RawValue) -> bool {
    let text = token.get();
    let digits = text.strip_prefix('-').unwrap_or(text);
    text.starts_with('"') || (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
