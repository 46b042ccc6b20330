//! What a guest prints: cut into lines and written to the log, with a bound on how much.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::{
    async_trait,
    cli::{IsTerminal, StdoutStream},
    p2::{OutputStream, Pollable, StreamResult},
};

use crate::{
    function::{ComponentName, Invocation},
    telemetry,
};

/// Longest line; the rest of it is cut.
pub(super) const MAX_LINE: usize = 8 << 10;

/// All that an instance prints and logs.
#[derive(Clone, Debug)]
pub(super) struct Printed(Arc<Mutex<Sinks>>);

/// Whose lines they are.
#[derive(Clone, Debug)]
pub(super) enum Owner {
    /// A component that describes itself.
    Component(Arc<ComponentName>),
    /// An invocation.
    Invocation(Arc<Invocation>),
}

#[derive(Debug)]
pub(super) struct Sinks {
    owner: Owner,
    /// Bytes of one invocation, all streams together; the rest is dropped, and the log says so.
    limit: usize,
    total: usize,
    /// That the rest is dropped was told.
    is_told: bool,
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
    pub(super) fn new(owner: Owner, limit: usize) -> Self {
        Self(Arc::new(Mutex::new(Sinks {
            owner,
            limit,
            total: 0,
            is_told: false,
            stdout: Vec::new(),
            stderr: Vec::new(),
        })))
    }

    /// What is printed from now on belongs to another one. Half a line is the last of the one before.
    pub(super) fn begin(&self, owner: Owner) {
        let mut sinks = self.lock();
        sinks.flush();
        sinks.owner = owner;
        sinks.total = 0;
        sinks.is_told = false;
    }

    pub(super) fn stdout(&self) -> impl StdoutStream + use<> {
        Pipe { printed: self.clone(), stream: Stream::Stdout }
    }

    pub(super) fn stderr(&self) -> impl StdoutStream + use<> {
        Pipe { printed: self.clone(), stream: Stream::Stderr }
    }

    /// Writes a line that the guest logged. False: there was no room for all of it.
    pub(super) fn log(&self, level: tracing::Level, line: &str) -> bool {
        let mut sinks = self.lock();
        let n_admitted = sinks.admit(line.len());
        let is_whole = n_admitted == line.len();
        let line = &line[..line.floor_char_boundary(n_admitted)];
        if !line.is_empty() {
            let (owner, invocation) = sinks.owner.names();
            telemetry::guest_log(level, owner, invocation, line);
        }
        is_whole
    }

    fn lock(&self) -> MutexGuard<'_, Sinks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Owner {
    fn names(&self) -> (&str, Option<&str>) {
        match self {
            Self::Component(name) => (&name.0, None),
            Self::Invocation(invocation) => {
                (invocation.function.trigger.name(), Some(invocation.id.as_str()))
            }
        }
    }
}

impl Sinks {
    /// How many of `bytes` are within the bound: the rest is dropped.
    fn admit(&mut self, bytes: usize) -> usize {
        let room = self.limit.saturating_sub(self.total);
        if bytes > room && !self.is_told {
            self.is_told = true;
            let (owner, invocation) = self.owner.names();
            telemetry::guest_output_dropped(owner, invocation, self.limit);
        }
        let n_admitted = bytes.min(room);
        self.total += n_admitted;
        n_admitted
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        let n_admitted = self.admit(bytes.len());
        let bytes = &bytes[..n_admitted];
        let Self { owner, stdout, stderr, .. } = self;
        let buffer = match stream {
            Stream::Stdout => stdout,
            Stream::Stderr => stderr,
        };
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let room = MAX_LINE.saturating_sub(buffer.len());
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            buffer.extend_from_slice(&text[..text.len().min(room)]);
            if piece.ends_with(b"\n") {
                emit(owner, stream, buffer);
                buffer.clear();
            }
        }
    }

    fn flush(&mut self) {
        for (stream, rest) in [
            (Stream::Stdout, std::mem::take(&mut self.stdout)),
            (Stream::Stderr, std::mem::take(&mut self.stderr)),
        ] {
            if !rest.is_empty() {
                emit(&self.owner, stream, &rest);
            }
        }
    }
}

impl Drop for Sinks {
    fn drop(&mut self) {
        self.flush();
    }
}

fn emit(owner: &Owner, stream: Stream, line: &[u8]) {
    let mut printable = String::with_capacity(line.len());
    push_printable(&mut printable, &String::from_utf8_lossy(line));
    let stream = match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    };
    let (owner, invocation) = owner.names();
    telemetry::guest_line(owner, invocation, stream, &printable);
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
        self.printed.lock().write(self.stream, &bytes);
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
        self.printed.lock().write(self.stream, bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
