//! A blob that is written in pieces.

use std::{
    cell::RefCell,
    io::{self, Write},
    rc::Rc,
};

use super::reader::{kind, reason};
use crate::wit::streams;

/// Pieces below this are gathered first: each costs a call of the host.
const PIECE: usize = 256 * 1024;

/// A blob that is written in pieces, so that neither the tool nor the host holds it whole: a parameter with
/// [`blob_output`](crate::blob_output). It has a buffer of its own.
///
/// The blob is there, as a whole, once the tool has succeeded; a tool that fails leaves none. It begins with the first
/// byte, or with [`begin`](Self::begin); where nothing was written or begun, nothing is.
///
/// An error of [`Write`] says what the client may know, so a tool can return it as it is. Whatever the tool makes of it,
/// no blob is kept that lacks a piece.
///
/// ```
/// use std::io::{self, Write};
/// use mcpfn_sdk::{BlobWriter, blob_output, mcp_tool};
///
/// /// Writes down a row of squares.
/// #[mcp_tool]
/// fn squares(
///     name: String,
///     n: u64,
///     #[blob_output(path = "tables/{mcptoolargs.name}.csv")] mut table: BlobWriter,
/// ) -> io::Result<()> {
///     for i in 1..=n {
///         writeln!(table, "{i},{}", i * i)?;
///     }
///     Ok(())
/// }
///
/// # fn main() {
/// // In a test it keeps what was written.
/// let table = BlobWriter::new();
/// squares("a".into(), 2, table.clone()).unwrap();
/// assert_eq!(table.written().unwrap(), b"1,1\n2,4\n");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct BlobWriter(Rc<RefCell<State>>);

#[derive(Debug)]
struct State {
    sink: Sink,
    buffer: Vec<u8>,
    /// A blob that lacks a piece is none, so the first error is the last word.
    failed: Option<(io::ErrorKind, String)>,
}

#[derive(Debug)]
enum Sink {
    Host { name: String, writer: Option<streams::Writer> },
    Memory { content: Option<Vec<u8>> },
}

impl BlobWriter {
    /// A writer for a test, which keeps what is written.
    pub fn new() -> Self {
        Self::to(Sink::Memory { content: None })
    }

    /// Writes to an output of the host.
    pub(crate) fn of_host(name: &str) -> Self {
        Self::to(Sink::Host { name: name.to_owned(), writer: None })
    }

    fn to(sink: Sink) -> Self {
        Self(Rc::new(RefCell::new(State { sink, buffer: Vec::new(), failed: None })))
    }

    /// Begins the blob, so that there will be one even if nothing is written to it.
    ///
    /// # Errors
    /// The storage takes none.
    pub fn begin(&self) -> io::Result<()> {
        self.0.borrow_mut().run(|state| state.sink.begin())
    }

    /// What was written so far, in a test. None: nothing was begun.
    pub fn written(&self) -> Option<Vec<u8>> {
        let State { sink, buffer, .. } = &*self.0.borrow();
        let Sink::Memory { content } = sink else { return None };
        if content.is_none() && buffer.is_empty() {
            return None;
        }
        Some([content.as_deref().unwrap_or_default(), buffer].concat())
    }

    /// Sends what is left, and says whether all of it arrived.
    pub(crate) fn finish(&self) -> io::Result<()> {
        self.0.borrow_mut().run(State::send)
    }
}

impl Default for BlobWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl Write for BlobWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().run(|state| {
            if state.buffer.len() + bytes.len() > PIECE {
                state.send()?;
            }
            if bytes.len() >= PIECE {
                state.sink.write(bytes)?;
            } else {
                state.buffer.extend_from_slice(bytes);
            }
            Ok(())
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.finish()
    }
}

type Sent = Result<(), streams::Error>;

impl State {
    fn run(&mut self, step: impl FnOnce(&mut Self) -> Sent) -> io::Result<()> {
        if self.failed.is_none()
            && let Err(error) = step(self)
        {
            let name = match &self.sink {
                Sink::Host { name, .. } => name,
                Sink::Memory { .. } => "test",
            };
            let kind = kind(&error);
            self.failed =
                Some((kind, format!("output `{name}` was not written: {}", reason(error))));
        }
        match &self.failed {
            None => Ok(()),
            Some((kind, message)) => Err(io::Error::new(*kind, message.clone())),
        }
    }

    fn send(&mut self) -> Sent {
        if !self.buffer.is_empty() {
            let piece = std::mem::take(&mut self.buffer);
            self.sink.write(&piece)?;
        }
        Ok(())
    }
}

impl Sink {
    fn begin(&mut self) -> Sent {
        match self {
            Self::Host { name, writer } if writer.is_none() => {
                *writer = Some(streams::create(name)?);
            }
            Self::Host { .. } => {}
            Self::Memory { content } => _ = content.get_or_insert_default(),
        }
        Ok(())
    }

    fn write(&mut self, piece: &[u8]) -> Sent {
        self.begin()?;
        match self {
            Self::Host { writer: Some(writer), .. } => writer.write(piece),
            Self::Host { writer: None, .. } => Err(streams::Error::Denied),
            Self::Memory { content } => {
                content.get_or_insert_default().extend_from_slice(piece);
                Ok(())
            }
        }
    }
}
