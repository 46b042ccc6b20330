//! Standard input and output: one message per line.

use std::{io, sync::Arc};

use bytes::Bytes;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};

use super::dialog::{self, Config, Incoming, Sink, Source};
use crate::{function::TransportKind, protocol::Live};

/// Serves until the input ends or `shutdown` resolves, then answers what was already asked and returns.
///
/// Nothing but messages is written. Dropping the future drops the calls in flight.
pub async fn serve(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
    protocol: Arc<Live>,
    config: Config,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let lines = Lines {
        input: BufReader::new(input),
        line: Vec::new(),
        limit: config.message_limit,
        too_long: false,
    };
    dialog::serve(lines, Writer(output), TransportKind::Stdio, protocol, &config, shutdown).await
}

/// Writes one line for each message.
struct Writer<W>(W);

impl<W: AsyncWrite + Unpin> Sink for Writer<W> {
    async fn send(&mut self, message: Bytes) -> io::Result<()> {
        let mut line = Vec::from(message);
        // JSON of a guest is passed on as it is, and there a line break can only be white space.
        for byte in line.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
        line.push(b'\n');
        self.0.write_all(&line).await?;
        self.0.flush().await
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

impl<R: AsyncBufRead + Unpin> Source for Lines<R> {
    /// The next line that is not blank. None: the input has ended.
    async fn next(&mut self) -> io::Result<Option<Incoming>> {
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
}

impl<R> Lines<R> {
    fn take(&mut self) -> Option<Incoming> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            return Some(Incoming::TooLong);
        }
        (!line.trim_ascii().is_empty()).then_some(Incoming::Message(line))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;

    use super::{Incoming, Lines, Source};

    async fn check(input: &str, expected: &[&str]) {
        // A small buffer, so that lines come in parts.
        let input = BufReader::with_capacity(3, input.as_bytes());
        let mut lines = Lines { input, line: Vec::new(), limit: 8, too_long: false };
        let mut actual = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            actual.push(match line {
                Incoming::Message(line) => String::from_utf8(line).unwrap(),
                Incoming::TooLong => "too long".to_owned(),
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

    #[tokio::test]
    async fn a_line_over_the_limit_is_skipped_and_the_next_one_is_read() {
        check("12345678\n123456789\n1\n", &["12345678", "too long", "1"]).await;
        check("123456789", &["too long"]).await;
    }
}
