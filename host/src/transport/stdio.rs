//! Standard input and output: one message per line, many calls at once, one writer.

use std::{
    future::pending,
    io,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::{Semaphore, watch},
    task::{JoinError, JoinSet},
    time::timeout,
};
use tracing::{debug, warn};

use super::MESSAGE_LIMIT;
use crate::{
    function::TransportKind,
    protocol::{
        self, Calls, Context, Live, Message, Outgoing, Reply, Session, Subscription, Ticket,
    },
};

/// What the stream may take.
#[derive(Clone, Debug)]
pub struct Config {
    /// The longest line, in bytes.
    pub line_limit: usize,
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
            line_limit: MESSAGE_LIMIT,
            in_flight: 64,
            waiting: 1024,
            drain: Duration::from_secs(30),
        }
    }
}

/// What all calls of the stream share.
#[derive(Debug)]
struct Stream {
    protocol: Arc<Live>,
    session: Session,
    outgoing: Outgoing,
    permits: Semaphore,
    /// Changes when nothing more is asked.
    stopped: watch::Receiver<()>,
}

/// Serves until the input ends or `shutdown` resolves, then answers what was already asked and returns.
///
/// Nothing but messages is written. Dropping the future drops the calls in flight.
pub async fn serve(
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    protocol: Arc<Live>,
    config: Config,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let mut lines = Lines {
        input: BufReader::new(input),
        line: Vec::new(),
        limit: config.line_limit,
        too_long: false,
    };
    let permits = Semaphore::new(config.in_flight);
    let (stop, stopped) = watch::channel(());
    let (session, outgoing) = (Session::default(), Outgoing::default());
    let stream = Arc::new(Stream { protocol, session, outgoing, permits, stopped });
    let mut changes = stream.protocol.listen(&stream.context());
    let places = config.in_flight + config.waiting;
    let mut in_flight = JoinSet::new();
    let calls = Calls::default();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            // What is said before an answer goes before it.
            message = stream.outgoing.next() => {
                write_until(&mut output, Some(message), shutdown.as_mut()).await?;
            }
            // What is done goes first, so that the places it held are free again.
            Some(done) = in_flight.join_next(), if !in_flight.is_empty() => {
                write_until(&mut output, reply_of(done), shutdown.as_mut()).await?;
            }
            message = next(&mut changes), if stream.session.is_ready() => {
                write_until(&mut output, Some(message), shutdown.as_mut()).await?;
            }
            // However many calls there are: the next line may cancel one.
            line = lines.next() => match line? {
                None => break,
                Some(Line::TooLong) => {
                    let reason = format!("the line is longer than {} bytes", config.line_limit);
                    write_until(&mut output, Some(protocol::refusal(&reason)), shutdown.as_mut()).await?;
                }
                Some(Line::Message(line)) => {
                    let message = Message::parse(&line);
                    // In the order of the lines, before any of them is answered: a cancellation must find its call.
                    let reply = match calls.admit(&message) {
                        None => into_body(stream.answer(message).await),
                        Some(_) if in_flight.len() >= places => into_body(message.busy()),
                        Some(ticket) => {
                            in_flight.spawn(Arc::clone(&stream).call(message.into_owned(), ticket));
                            None
                        }
                    };
                    write_until(&mut output, reply, shutdown.as_mut()).await?;
                }
            }
        }
    }
    drop(stop);
    drain(in_flight, &stream.outgoing, &mut output, config.drain).await
}

/// Waits for the next change that the client is told.
async fn next(changes: &mut Option<Subscription>) -> Bytes {
    match changes {
        Some(changes) => changes.next().await,
        None => pending().await,
    }
}

impl Stream {
    fn context(&self) -> Context<'_> {
        Context {
            session: Some(&self.session),
            outgoing: Some(&self.outgoing),
            ..Context::of(TransportKind::Stdio, None)
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
                Reply::Stream(subscription) => self.follow(subscription).await,
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
                    self.outgoing.push(message);
                }
            }
        }
    }
}

/// Writes the last replies, and drops the calls that take longer than this.
async fn drain(
    mut in_flight: JoinSet<Option<Bytes>>,
    outgoing: &Outgoing,
    output: &mut (impl AsyncWrite + Unpin),
    limit: Duration,
) -> io::Result<()> {
    let drained = timeout(limit, async {
        loop {
            tokio::select! {
                biased;
                message = outgoing.next() => write(output, Some(message)).await?,
                done = in_flight.join_next() => match done {
                    Some(done) => write(output, reply_of(done)).await?,
                    None => return Ok(()),
                },
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

async fn write(output: &mut (impl AsyncWrite + Unpin), message: Option<Bytes>) -> io::Result<()> {
    let Some(message) = message else { return Ok(()) };
    let mut line = Vec::from(message);
    // JSON of a guest is passed on as it is, and there a line break can only be white space.
    for byte in line.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
    line.push(b'\n');
    output.write_all(&line).await?;
    output.flush().await
}

/// Writes one message, unless the host is to stop: a client that does not read would hold it for ever.
async fn write_until(
    output: &mut (impl AsyncWrite + Unpin),
    message: Option<Bytes>,
    shutdown: Pin<&mut impl Future<Output = ()>>,
) -> io::Result<()> {
    tokio::select! {
        biased;
        written = write(output, message) => written,
        () = shutdown => Err(io::Error::other("the client does not read its standard input")),
    }
}

/// Splits the input into lines and never holds more than one. May be dropped between two reads.
struct Lines<R> {
    input: R,
    line: Vec<u8>,
    limit: usize,
    // The rest of this line is skipped.
    too_long: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Line {
    Message(Vec<u8>),
    TooLong,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// The next line that is not blank. None: the input has ended.
    async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let part = self.input.fill_buf().await?;
            if part.is_empty() {
                return Ok(self.take());
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let content = &part[..end.unwrap_or(part.len())];
            if self.line.len() + content.len() > self.limit {
                self.too_long = true;
                self.line = Vec::new();
            }
            if !self.too_long {
                self.line.extend_from_slice(content);
            }
            let consumed = end.map_or(part.len(), |end| end + 1);
            self.input.consume(consumed);
            if end.is_some()
                && let Some(line) = self.take()
            {
                return Ok(Some(line));
            }
        }
    }

    fn take(&mut self) -> Option<Line> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            return Some(Line::TooLong);
        }
        (!line.trim_ascii().is_empty()).then_some(Line::Message(line))
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use bytes::Bytes;
    use tokio::{io::BufReader, task::JoinSet};

    use super::{Line, Lines, Outgoing, drain};

    async fn check(input: &str, expected: &[&str]) {
        // A small buffer, so that lines come in parts.
        let input = BufReader::with_capacity(3, input.as_bytes());
        let mut lines = Lines { input, line: Vec::new(), limit: 8, too_long: false };
        let mut actual = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            actual.push(match line {
                Line::Message(line) => String::from_utf8(line).unwrap(),
                Line::TooLong => "too long".to_owned(),
            });
        }
        assert_eq!(actual, expected);
    }

    #[tokio::test]
    async fn lines_are_messages_and_blank_ones_are_not() {
        check("", &[]).await;
        check("\n \r\n\n", &[]).await;
        check("a\n\nbcdefg\r\nh", &["a", "bcdefg\r", "h"]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_does_not_end_is_dropped_and_the_others_are_answered() {
        let mut in_flight = JoinSet::new();
        in_flight.spawn(pending());
        in_flight.spawn(async { Some(Bytes::from_static(b"{}")) });
        let mut output = Vec::new();
        drain(in_flight, &Outgoing::default(), &mut output, Duration::from_secs(30)).await.unwrap();
        assert_eq!(output, b"{}\n");
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_skipped_and_the_next_one_is_read() {
        check("12345678\n123456789\n1\n", &["12345678", "too long", "1"]).await;
        check("123456789", &["too long"]).await;
    }
}
