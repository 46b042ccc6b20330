//! A stream of messages in both directions: many calls at once, one writer.

use std::{
    future::pending,
    io,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use futures_util::{FutureExt, future::maybe_done};
use tokio::{
    sync::{Semaphore, watch},
    task::{JoinError, JoinSet},
    time::{sleep, timeout},
};
use tracing::{debug, warn};

use super::MESSAGE_LIMIT;
use crate::{
    function::TransportKind,
    protocol::{
        self, Calls, Context, Live, Message, Outgoing, Reply, Session, Subscription, Ticket,
    },
};

/// How long what is being sent when the host is to stop may take, all of it.
const LAST_MESSAGES: Duration = Duration::from_secs(1);

/// What a stream may take.
#[derive(Clone, Debug)]
pub struct Config {
    /// The longest message, in bytes.
    pub message_limit: usize,
    /// How many calls run at a time.
    pub in_flight: usize,
    /// How many more are kept until they can run; any further one is refused.
    pub waiting: usize,
    /// How long the last replies may take once the input has ended or the host stops.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            message_limit: MESSAGE_LIMIT,
            in_flight: 64,
            waiting: 1024,
            drain: Duration::from_secs(30),
        }
    }
}

/// Where messages come from. Waiting may be given up between two of them.
pub(super) trait Source {
    /// The next one. None: there will be no more.
    async fn next(&mut self) -> io::Result<Option<Incoming>>;
}

/// Where messages go to.
pub(super) trait Sink {
    /// Sends one.
    async fn send(&mut self, message: Bytes) -> io::Result<()>;
}

/// What comes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Incoming {
    /// A message, not read yet.
    Message(Vec<u8>),
    /// One that is too long, and was skipped.
    TooLong,
}

/// What all calls of the stream share.
#[derive(Debug)]
struct Stream {
    protocol: Arc<Live>,
    transport: TransportKind,
    session: Session,
    outgoing: Outgoing,
    permits: Semaphore,
    /// Changes when nothing more is asked.
    stopped: watch::Receiver<()>,
}

/// Serves until there are no more messages or `shutdown` resolves, then answers what was already asked and returns.
///
/// Dropping the future drops the calls in flight.
pub(super) async fn serve(
    mut source: impl Source,
    mut sink: impl Sink,
    transport: TransportKind,
    protocol: Arc<Live>,
    config: &Config,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let permits = Semaphore::new(config.in_flight);
    let (stop, stopped) = watch::channel(());
    let (session, outgoing) = (Session::default(), Outgoing::default());
    let stream = Arc::new(Stream { protocol, transport, session, outgoing, permits, stopped });
    let mut changes = stream.protocol.listen(&stream.context()).await;
    let places = config.in_flight + config.waiting;
    let mut in_flight = JoinSet::new();
    let calls = Calls::default();
    let shutdown = shutdown.shared();
    let cut = {
        let shutdown = shutdown.clone();
        async move {
            shutdown.await;
            sleep(LAST_MESSAGES).await;
        }
    };
    // Looked at again once they are over.
    let (mut shutdown, mut cut) = (pin!(maybe_done(shutdown)), pin!(maybe_done(cut)));
    loop {
        // In no order: one who says much must not keep another from being heard.
        tokio::select! {
            () = &mut shutdown => break,
            message = stream.outgoing.next() => {
                send_until(&mut sink, Some(message), cut.as_mut()).await?;
            }
            Some(done) = in_flight.join_next(), if !in_flight.is_empty() => {
                // What was said before an answer goes before it.
                while let Some(message) = stream.outgoing.take() {
                    send_until(&mut sink, Some(message), cut.as_mut()).await?;
                }
                send_until(&mut sink, reply_of(done), cut.as_mut()).await?;
            }
            message = next(&mut changes), if stream.session.is_ready() => {
                send_until(&mut sink, Some(message), cut.as_mut()).await?;
            }
            // However many calls there are: the next message may cancel one.
            incoming = source.next() => match incoming? {
                None => break,
                Some(Incoming::TooLong) => {
                    let reason = format!("the message is longer than {} bytes", config.message_limit);
                    send_until(&mut sink, Some(protocol::refusal(&reason)), cut.as_mut()).await?;
                }
                Some(Incoming::Message(bytes)) => {
                    let message = Message::parse(&bytes);
                    // In the order in which they came, before any of them is answered: a cancellation must find its call.
                    let reply = match calls.admit(&message) {
                        None => into_body(stream.answer(message).await),
                        Some(_) if in_flight.len() >= places => into_body(message.busy()),
                        Some(ticket) => {
                            in_flight.spawn(Arc::clone(&stream).call(message.into_owned(), ticket));
                            None
                        }
                    };
                    send_until(&mut sink, reply, cut.as_mut()).await?;
                }
            }
        }
    }
    drop(stop);
    drain(in_flight, &stream.outgoing, &mut sink, config.drain).await
}

/// Waits for the next change that the client is told.
async fn next(changes: &mut Option<Subscription>) -> Bytes {
    let message = match changes {
        Some(changes) => changes.next().await,
        None => None,
    };
    match message {
        Some(message) => message,
        None => pending().await,
    }
}

impl Stream {
    fn context(&self) -> Context<'_> {
        Context {
            session: Some(&self.session),
            outgoing: Some(&self.outgoing),
            stopped: Some(&self.stopped),
            ..Context::of(self.transport, None)
        }
    }

    async fn answer(&self, message: Message<'_>) -> Reply {
        self.protocol.handle(&self.context(), message).await
    }

    /// Waits for its turn, then answers. None: cancelled.
    async fn call(self: Arc<Self>, message: Message<'static>, ticket: Ticket) -> Option<Bytes> {
        let reply = async {
            let permit = self.permits.acquire().await.expect("the semaphore is never closed");
            let reply = self.answer(message).await;
            drop(permit);
            match reply {
                Reply::Stream(subscription) => self.follow(*subscription).await,
                reply => into_body(reply),
            }
        };
        tokio::select! {
            biased;
            () = ticket.cancelled() => {
                debug!("cancelled by the client");
                None
            }
            reply = reply => reply,
        }
    }

    /// Says what a client listens to, until nothing more is asked.
    async fn follow(&self, mut subscription: Subscription) -> Option<Bytes> {
        let mut stopped = self.stopped.clone();
        loop {
            tokio::select! {
                biased;
                _ = stopped.changed() => return subscription.end(),
                message = subscription.next() => {
                    // Who does not read misses some, and has to read anew in any case.
                    self.outgoing.push(message?);
                }
            }
        }
    }
}

/// Writes the last replies, and drops the calls that take longer than this.
async fn drain(
    mut in_flight: JoinSet<Option<Bytes>>,
    outgoing: &Outgoing,
    sink: &mut impl Sink,
    limit: Duration,
) -> io::Result<()> {
    let drained = timeout(limit, async {
        loop {
            tokio::select! {
                biased;
                message = outgoing.next() => sink.send(message).await?,
                done = in_flight.join_next() => {
                    while let Some(message) = outgoing.take() {
                        sink.send(message).await?;
                    }
                    match done {
                        Some(done) => send(sink, reply_of(done)).await?,
                        None => return Ok(()),
                    }
                }
            }
        }
    });
    drained.await.unwrap_or_else(|_| {
        warn!(calls = in_flight.len(), "stopped before the last replies were written");
        Ok(())
    })
}

fn into_body(reply: Reply) -> Option<Bytes> {
    match reply {
        Reply::Accepted | Reply::Stream(_) => None,
        Reply::Message { body, .. } => Some(body),
    }
}

fn reply_of(done: Result<Option<Bytes>, JoinError>) -> Option<Bytes> {
    done.unwrap_or_else(|error| {
        warn!(%error, "a message was not answered");
        None
    })
}

async fn send(sink: &mut impl Sink, message: Option<Bytes>) -> io::Result<()> {
    match message {
        Some(message) => sink.send(message).await,
        None => Ok(()),
    }
}

/// Sends one message. When the host is to stop, not for long: a client that does not read would hold it for ever.
async fn send_until(
    sink: &mut impl Sink,
    message: Option<Bytes>,
    cut: Pin<&mut impl Future<Output = ()>>,
) -> io::Result<()> {
    tokio::select! {
        biased;
        sent = send(sink, message) => sent,
        () = cut => Err(io::Error::other("the client does not read what it is sent")),
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, io, time::Duration};

    use bytes::Bytes;
    use tokio::task::JoinSet;

    use super::{Outgoing, Sink, drain};

    #[derive(Default)]
    struct Sent(Vec<Bytes>);

    impl Sink for Sent {
        async fn send(&mut self, message: Bytes) -> io::Result<()> {
            self.0.push(message);
            Ok(())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_does_not_end_is_dropped_and_the_others_are_answered() {
        let mut in_flight = JoinSet::new();
        in_flight.spawn(pending());
        in_flight.spawn(async { Some(Bytes::from_static(b"{}")) });
        let mut sent = Sent::default();
        let outgoing = Outgoing::default();
        drain(in_flight, &outgoing, &mut sent, Duration::from_secs(30)).await.unwrap();
        assert_eq!(sent.0, ["{}"]);
    }
}
