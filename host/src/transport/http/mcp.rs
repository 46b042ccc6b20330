//! One POST: its body to the protocol, the reply back; as a stream, if it takes its time or has something to say before.

use std::{
    fmt,
    future::{poll_fn, ready},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use hyper::{HeaderMap, Request, Response, body::Incoming, header::ACCEPT};
use tokio::time::sleep;

use super::{
    Endpoint,
    admit::{self, Rejection},
    body,
    respond::{self, Body},
    sse::{self, Call},
};
use crate::{
    function::TransportKind,
    protocol::{Context, Headers, Message, Outgoing, Reply, Unreadable},
};

/// How long a reply may take before its client gets a stream, on which it is told that the host still works.
const PATIENCE: Duration = Duration::from_secs(1);

/// Answers a message.
pub(super) async fn answer(
    endpoint: &Arc<Endpoint>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Rejection> {
    let (head, body) = request.into_parts();
    let body = body::read(body, &head.headers, &endpoint.config).await?;
    let headers = Arc::new(head.headers);
    // A client that takes nothing but JSON gets nothing else.
    let takes_events = admit::takes_events(headers.get_all(ACCEPT));
    let outgoing = takes_events.then(Outgoing::default);
    let call: Call = {
        let (endpoint, outgoing) = (Arc::clone(endpoint), outgoing.clone());
        let headers = Arc::clone(&headers);
        Box::pin(async move {
            let headers = RequestHeaders(&headers);
            let context = Context {
                outgoing: outgoing.as_ref(),
                stopped: Some(&endpoint.stopped),
                ..Context::of(TransportKind::Http, Some(&headers))
            };
            endpoint.protocol.handle(&context, Message::parse(&body)).await
        })
    };
    let Some(outgoing) = outgoing else {
        return match call.await {
            // Nothing but events could be sent.
            Reply::Stream(_) => Err(Rejection::Accept),
            reply => Ok(respond::reply(reply, endpoint)),
        };
    };
    match first(call, &outgoing).await {
        First::Reply(reply) => Ok(respond::reply(reply, endpoint)),
        First::Events(call) => {
            let headers = RequestHeaders(&headers);
            let context = Context::of(TransportKind::Http, Some(&headers));
            let log = if endpoint.detached.has_room() {
                endpoint.protocol.event_log(&context).await
            } else {
                None
            };
            let events = match log {
                Some(log) => sse::of_kept_call(call, outgoing, log, &endpoint.detached),
                None => sse::of_call(call, outgoing),
            };
            Ok(respond::events(events))
        }
    }
}

/// What a client gets first.
enum First {
    /// The reply, and nothing else.
    Reply(Reply),
    /// What is said before the reply, or signs of life until it is there.
    Events(Call),
}

/// What a look at a call finds.
enum Looked {
    Reply(Reply),
    ReplyAfterEvents(Reply),
    Events,
}

/// Waits for the reply, for a while, or for something to say before it.
async fn first(mut call: Call, outgoing: &Outgoing) -> First {
    let mut patience = None;
    let looked = poll_fn(|cx| {
        if let Poll::Ready(reply) = call.as_mut().poll(cx) {
            let looked = match outgoing.poll_waiting(cx) {
                Poll::Pending => Looked::Reply(reply),
                Poll::Ready(()) => Looked::ReplyAfterEvents(reply),
            };
            return Poll::Ready(looked);
        }
        if outgoing.poll_waiting(cx).is_ready() {
            return Poll::Ready(Looked::Events);
        }
        // Most replies are there at the first look, and need no timer.
        let patience = patience.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        patience.as_mut().poll(cx).map(|()| Looked::Events)
    });
    match looked.await {
        Looked::Reply(reply) => First::Reply(reply),
        Looked::ReplyAfterEvents(reply) => First::Events(Box::pin(ready(reply))),
        Looked::Events => First::Events(call),
    }
}

/// The headers of a request, for the protocol.
pub(super) struct RequestHeaders<'a>(pub(super) &'a HeaderMap);
impl Headers for RequestHeaders<'_> {
    fn get(&self, name: &str) -> Result<Option<&str>, Unreadable> {
        let mut values = self.0.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => {
                value.to_str().map(|value| Some(value.trim_ascii())).map_err(|_| Unreadable)
            }
            _ => Err(Unreadable),
        }
    }

    fn joined(&self, name: &str) -> Option<String> {
        let values: Result<Vec<&str>, _> =
            self.0.get_all(name).iter().map(hyper::header::HeaderValue::to_str).collect();
        let values = values.ok().filter(|values| !values.is_empty())?;
        Some(values.join(","))
    }
}

// Headers carry secrets: their values are in no log.
impl fmt::Debug for RequestHeaders<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
