//! A blob that is read in pieces.

use std::io::{self, BufRead, Read};

use super::{BlobForm, BlobInput};
use crate::wit::{self, streams};

/// How much is asked of the host at once. It gives up to 1 MiB, and holds that too.
const PIECE: u32 = 256 * 1024;

/// A blob that is read in pieces, so that neither the tool nor the host holds it whole: a parameter with
/// [`blob_input`](crate::blob_input). It has a buffer of its own.
///
/// An error of [`Read`] says what the client may know, so a tool can return it as it is.
///
/// ```
/// use std::io::{self, BufRead};
/// use mcpfn_sdk::{BlobReader, blob_input, mcp_tool};
///
/// /// Counts the lines of a log that have a word.
/// #[mcp_tool]
/// fn count(
///     day: String,
///     word: String,
///     #[blob_input(path = "logs/{mcptoolargs.day}.log")] log: BlobReader,
/// ) -> io::Result<u64> {
///     let mut n_lines = 0;
///     for line in log.lines() {
///         n_lines += u64::from(line?.contains(&word));
///     }
///     Ok(n_lines)
/// }
///
/// # fn main() {
/// // In a test it is made of any bytes.
/// let log = BlobReader::new("GET /\nPUT /a\nGET /b\n");
/// assert_eq!(count("today".into(), "GET".into(), log).unwrap(), 2);
/// # }
/// ```
#[derive(Debug)]
pub struct BlobReader {
    source: Source,
    buffer: Vec<u8>,
    /// How much of the buffer was read.
    at: usize,
}

#[derive(Debug)]
enum Source {
    Host { name: String, reader: streams::Reader },
    Memory { size: u64 },
}

impl BlobReader {
    /// A reader of these bytes, for a test.
    pub fn new(content: impl Into<Vec<u8>>) -> Self {
        let buffer = content.into();
        Self { source: Source::Memory { size: buffer.len() as u64 }, buffer, at: 0 }
    }

    /// Opens an input of the host. None: there is nothing at its place.
    pub(crate) fn open(name: &str) -> Result<Option<Self>, String> {
        match streams::open(name) {
            Ok(reader) => {
                let source = Source::Host { name: name.to_owned(), reader };
                Ok(Some(Self { source, buffer: Vec::new(), at: 0 }))
            }
            Err(streams::Error::NotFound) => Ok(None),
            Err(error) => Err(format!("was not opened: {}", reason(error))),
        }
    }

    /// The size in bytes, if the storage tells it.
    pub fn size(&self) -> Option<u64> {
        match &self.source {
            Source::Host { reader, .. } => reader.size(),
            Source::Memory { size } => Some(*size),
        }
    }
}

impl BufRead for BlobReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len()
            && let Source::Host { name, reader } = &self.source
        {
            let piece = reader.read(PIECE);
            self.buffer = piece.map_err(|error| {
                let kind = kind(&error);
                io::Error::new(kind, format!("input `{name}` was not read: {}", reason(error)))
            })?;
            self.at = 0;
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, n_bytes: usize) {
        self.at = (self.at + n_bytes).min(self.buffer.len());
    }
}

impl Read for BlobReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let n_read = self.fill_buf()?.read(bytes)?;
        self.consume(n_read);
        Ok(n_read)
    }
}

impl BlobInput for BlobReader {
    const FORM: BlobForm = BlobForm::Stream;

    /// What host.json declares anew may come whole.
    fn from_value(value: wit::Value) -> Result<Self, String> {
        Vec::from_value(value).map(Self::new)
    }

    fn from_reader(reader: BlobReader) -> Result<Self, String> {
        Ok(reader)
    }
}

/// What the client may know of an error.
pub(super) fn reason(error: streams::Error) -> String {
    match error {
        streams::Error::Denied => {
            String::from("it is no stream (is `\"dataType\": \"stream\"` missing in host.json?)")
        }
        streams::Error::NotFound => String::from("there is nothing at its place"),
        streams::Error::TooLarge => String::from("it is larger than `maxBytes` allows"),
        streams::Error::Other(reason) => reason,
    }
}

pub(super) fn kind(error: &streams::Error) -> io::ErrorKind {
    match error {
        streams::Error::Denied => io::ErrorKind::PermissionDenied,
        streams::Error::NotFound => io::ErrorKind::NotFound,
        streams::Error::TooLarge => io::ErrorKind::FileTooLarge,
        streams::Error::Other(_) => io::ErrorKind::Other,
    }
}
