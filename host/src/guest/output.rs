//! What a guest prints: cut into lines and written to the log, with a bound on how much.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::{
    async_trait,
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamResult},
};

use crate::telemetry;

/// Longest line; the rest of it is cut.
const MAX_LINE: usize = 8 << 10;

/// Bytes of one invocation, all streams together; the rest is dropped, and the log says so.
const MAX_TOTAL: usize = 256 << 10;

/// All that one invocation prints and logs.
#[derive(Clone, Debug)]
pub(super) struct Printed(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    source: Box<str>,
    invocation: Option<Box<str>>,
    sinks: Mutex<Sinks>,
}

#[derive(Debug, Default)]
struct Sinks {
    total: usize,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Stream {
    Stdout,
    Stderr,
}

impl Printed {
    /// Lines are marked with the tool and the invocation; while a component describes itself, with its name.
    pub(super) fn new(source: &str, invocation: Option<&str>) -> Self {
        Self(Arc::new(Shared {
            source: source.into(),
            invocation: invocation.map(Into::into),
            sinks: Mutex::default(),
        }))
    }

    pub(super) fn stdout(&self) -> impl StdoutStream + use<> {
        Pipe { printed: self.clone(), stream: Stream::Stdout }
    }

    pub(super) fn stderr(&self) -> impl StdoutStream + use<> {
        Pipe { printed: self.clone(), stream: Stream::Stderr }
    }

    /// Counts `bytes` against the bound. False: they are dropped.
    fn admit(&self, bytes: usize) -> bool {
        let mut sinks = self.0.sinks.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.admit(&mut sinks, bytes)
    }

    /// Writes a line that the guest logged.
    pub(super) fn log(&self, level: tracing::Level, line: &str) {
        if self.admit(line.len()) {
            telemetry::guest_log(level, &self.0.source, self.0.invocation.as_deref(), line);
        }
    }

    fn write(&self, stream: Stream, bytes: &[u8]) {
        let mut sinks = self.0.sinks.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.0.admit(&mut sinks, bytes.len()) {
            return;
        }
        let buffer = match stream {
            Stream::Stdout => &mut sinks.stdout,
            Stream::Stderr => &mut sinks.stderr,
        };
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE.saturating_sub(buffer.len());
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            buffer.extend_from_slice(&text[..text.len().min(room)]);
            if piece.ends_with(b"\n") {
                self.0.emit(stream, buffer);
                buffer.clear();
            }
        }
    }
}

impl Shared {
    fn admit(&self, sinks: &mut Sinks, bytes: usize) -> bool {
        if sinks.total > MAX_TOTAL {
            return false;
        }
        sinks.total += bytes;
        let admitted = sinks.total <= MAX_TOTAL;
        if !admitted {
            telemetry::guest_output_dropped(&self.source, self.invocation.as_deref(), MAX_TOTAL);
        }
        admitted
    }

    fn emit(&self, stream: Stream, line: &[u8]) {
        let mut printable = String::with_capacity(line.len());
        push_printable(&mut printable, &String::from_utf8_lossy(line));
        let stream = match stream {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        };
        telemetry::guest_line(&self.source, self.invocation.as_deref(), stream, &printable);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let sinks = std::mem::take(self.sinks.get_mut().unwrap_or_else(PoisonError::into_inner));
        for (stream, rest) in [(Stream::Stdout, sinks.stdout), (Stream::Stderr, sinks.stderr)] {
            if !rest.is_empty() {
                self.emit(stream, &rest);
            }
        }
    }
}

/// Appends as much of a text as a line takes, without what a terminal or a log would act on: a guest
/// must not be able to write a line that looks like the host's.
pub(super) fn push_printable(line: &mut String, text: &str) {
    for c in text.chars() {
        if line.len() >= MAX_LINE {
            break;
        }
        if c.is_control() && c != '\t' {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
}

/// One of the two streams, as WASI sees it: always ready, never full.
struct Pipe {
    printed: Printed,
    stream: Stream,
}

impl IsTerminal for Pipe {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Pipe {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(Self { printed: self.printed.clone(), stream: self.stream })
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(Self { printed: self.printed.clone(), stream: self.stream })
    }
}

impl OutputStream for Pipe {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.printed.write(self.stream, &bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(64 << 10)
    }
}

#[async_trait]
impl Pollable for Pipe {
    async fn ready(&mut self) {}
}

impl AsyncWrite for Pipe {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.printed.write(self.stream, bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
