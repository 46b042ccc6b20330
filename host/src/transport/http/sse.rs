//! Server-sent events: what a client hears while its request is being answered, and what it listens to.

use std::{
    convert::Infallible,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use http_body::Frame;
use tokio::{
    sync::{OwnedSemaphorePermit, watch},
    time::{Instant, Sleep, sleep},
};

use super::detached::Detached;
use crate::protocol::{self, EventLog, Outgoing, Reader, Reply, Subscription};

/// How long a stream is silent at most: many a proxy cuts one that says nothing for longer.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How long a client should wait before it comes back, in milliseconds.
const RETRY_MS: u64 = 1000;

/// A comment, which clients skip.
const COMMENT: &[u8] = b":\n\n";

/// A message that is being answered. Dropping it cancels what the message asked for.
pub(super) type Call = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// The events of one response.
pub(super) type Events = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// What the answer to a call and what goes before it become: the events of one response.
pub(super) fn of_call(call: Call, outgoing: Outgoing) -> Events {
    let state = (Some(call), outgoing);
    Box::pin(stream::unfold(state, |(call, outgoing)| async move {
        let mut call = call?;
        let message = tokio::select! {
            biased;
            message = outgoing.next() => message,
            reply = &mut call => {
                let last = body_of(reply)?;
                // What was said before the answer was made goes first, in one piece with it.
                let mut events = Vec::new();
                while let Some(message) = outgoing.take() {
                    events.extend_from_slice(&event(None, &message));
                }
                events.extend_from_slice(&event(None, &last));
                return Some((Bytes::from(events), (None, outgoing)));
            }
        };
        Some((event(None, &message), (Some(call), outgoing)))
    }))
}

/// Lets a call go on by itself and keeps its events, so that the client may lose its connection and come back.
pub(super) fn of_kept_call(
    call: Call,
    outgoing: Outgoing,
    log: EventLog,
    detached: &Arc<Detached>,
) -> Events {
    let first =
        log.primer().map(|id| Bytes::from(format!("id: {id}\nretry: {RETRY_MS}\ndata: \n\n")));
    let reader = log.read();
    detached.spawn(keep(call, outgoing, log));
    Box::pin(stream::iter(first).chain(of_reader(reader)))
}

/// Reads on in the events of a call, unless the host stops.
pub(super) fn of_resumed(
    reader: Reader,
    mut stopped: watch::Receiver<()>,
    place: OwnedSemaphorePermit,
) -> Events {
    let stopped = async move {
        _ = stopped.changed().await;
        drop(place);
    };
    Box::pin(of_reader(reader).take_until(stopped))
}

fn of_reader(reader: Reader) -> Events {
    Box::pin(stream::unfold(Some(reader), |reader| async move {
        let mut reader = reader?;
        let next = reader.next().await?;
        // Of a call that its client cancelled: nothing may be sent for it.
        if next.is_last && next.message.is_empty() {
            return None;
        }
        let rest = (!next.is_last).then_some(reader);
        Some((event(Some(&next.id), &next.message), rest))
    }))
}

/// What a client listens to, until it goes or the host stops.
pub(super) fn of_subscription(
    subscription: Subscription,
    stopped: watch::Receiver<()>,
    place: OwnedSemaphorePermit,
) -> Events {
    Box::pin(stream::unfold(Some((subscription, stopped, place)), |state| async move {
        let (mut subscription, mut stopped, place) = state?;
        tokio::select! {
            message = subscription.next() => {
                Some((event(None, &message?), Some((subscription, stopped, place))))
            }
            _ = stopped.changed() => Some((event(None, &subscription.end()?), None)),
        }
    }))
}

/// Writes down what a call says, to its end.
async fn keep(mut call: Call, outgoing: Outgoing, mut log: EventLog) {
    let mut kept = pin!(log.keep());
    loop {
        let reply = tokio::select! {
            biased;
            message = outgoing.next() => {
                push(&mut log, &message).await;
                continue;
            }
            reply = &mut call => reply,
            () = &mut kept => return,
        };
        // What was said before the answer was made goes first.
        while let Some(message) = outgoing.take() {
            push(&mut log, &message).await;
        }
        let last = body_of(reply).unwrap_or_default();
        if log.finish(&last).await.is_err() {
            tracing::warn!("an answer is lost: there is no room to keep it");
            // Its client would wait for ever.
            _ = log.finish(&protocol::refusal("the answer is lost: the host keeps too many")).await;
        }
        return;
    }
}

async fn push(log: &mut EventLog, message: &Bytes) {
    if let Err(error) = log.push(message).await {
        tracing::debug!(%error, "an event is lost");
    }
}

fn body_of(reply: Reply) -> Option<Bytes> {
    match reply {
        Reply::Message { body, .. } => Some(body),
        Reply::Accepted | Reply::Stream(_) => None,
    }
}

/// The event that says where to post (2024-11-05, basic/transports).
pub(super) fn endpoint(path: &str) -> Bytes {
    Bytes::from(format!("event: endpoint\ndata: {path}\n\n"))
}

/// A message as an event that nobody can come back for.
pub(super) fn message(message: &Bytes) -> Bytes {
    event(None, message)
}

/// One message as an event.
fn event(id: Option<&str>, message: &Bytes) -> Bytes {
    let mut event = Vec::with_capacity(message.len() + 64);
    if let Some(id) = id {
        event.extend_from_slice(format!("id: {id}\n").as_bytes());
    }
    event.extend_from_slice(b"event: message\ndata: ");
    // JSON of a guest is passed on as it is, and there a line break can only be white space.
    event.extend(
        message.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }),
    );
    event.extend_from_slice(b"\n\n");
    event.into()
}

/// A body of events, with a comment where nothing else is said for a while, and one at once.
pub(super) struct Body {
    events: Events,
    is_opened: bool,
    silence: Pin<Box<Sleep>>,
}

impl Body {
    pub(super) fn new(events: Events) -> Self {
        Self { events, is_opened: false, silence: Box::pin(sleep(KEEP_ALIVE)) }
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = &mut *self;
        if let Poll::Ready(event) = this.events.as_mut().poll_next(cx) {
            this.is_opened = true;
            this.silence.as_mut().reset(Instant::now() + KEEP_ALIVE);
            return Poll::Ready(event.map(|event| Ok(Frame::data(event))));
        }
        // A proxy may hold back even the head until something comes.
        let is_due = !this.is_opened || this.silence.as_mut().poll(cx).is_ready();
        if !is_due {
            return Poll::Pending;
        }
        this.is_opened = true;
        this.silence.as_mut().reset(Instant::now() + KEEP_ALIVE);
        // Registers the timer again.
        _ = this.silence.as_mut().poll(cx);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(COMMENT)))))
    }
}
