//! HTTP/1.1 with as little work as it can be done with, so that the client is not what is measured.

use std::io;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response<'a> {
    /// The status code.
    pub status: u16,
    /// The body.
    pub body: &'a [u8],
}

/// A connection that is kept open between requests.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Connects to a port of this machine.
    pub async fn open(port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(64 << 10) })
    }

    /// Sends a request and reads the answer to it.
    pub async fn send(&mut self, request: &[u8]) -> io::Result<Response<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let (status, start, length) = loop {
            self.read().await?;
            if let Some(head) = parse_head(&self.buffer)? {
                break head;
            }
        };
        let Some(length) = length else {
            // The answer took so long that it became a stream of events, whose last one it is.
            let events = loop {
                if let Some(events) = parse_chunks(&self.buffer[start..])? {
                    break events;
                }
                self.read().await?;
            };
            self.buffer = last_event(&events).ok_or_else(|| wrong("no event"))?;
            return Ok(Response { status, body: &self.buffer });
        };
        let body = start..start + length;
        self.buffer.reserve(body.end.saturating_sub(self.buffer.len()));
        while self.buffer.len() < body.end {
            self.read().await?;
        }
        if self.buffer.len() > body.end {
            return Err(io::Error::other("more than one answer"));
        }
        Ok(Response { status, body: &self.buffer[body] })
    }

    async fn read(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// Sends a request and leaves without the answer.
    pub async fn send_and_leave(mut self, request: &[u8]) -> io::Result<()> {
        self.stream.write_all(request).await
    }
}

fn wrong(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The status, where the body begins and how long it is, if that is known; nothing while the head is not complete.
fn parse_head(bytes: &[u8]) -> io::Result<Option<(u16, usize, Option<usize>)>> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = str::from_utf8(&bytes[..end]).map_err(|_| wrong("a head that is not text"))?;
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok())
        .ok_or_else(|| wrong("no status"))?;
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            let length = value.parse().map_err(|_| wrong("a content-length that is no number"))?;
            return Ok(Some((status, end + 4, Some(length))));
        }
        if name.eq_ignore_ascii_case("transfer-encoding") && value == "chunked" {
            return Ok(Some((status, end + 4, None)));
        }
    }
    Err(wrong("no content-length"))
}

/// A body in chunks (RFC 9112, 7.1); nothing while it is not complete.
fn parse_chunks(mut bytes: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    loop {
        let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") else {
            return Ok(None);
        };
        let length = str::from_utf8(&bytes[..end]).ok();
        let length = length.and_then(|length| usize::from_str_radix(length, 16).ok());
        let length = length.ok_or_else(|| wrong("a chunk without its length"))?;
        let Some(chunk) = bytes.get(end + 2..end + 4 + length) else { return Ok(None) };
        if length == 0 {
            return Ok(Some(body));
        }
        body.extend_from_slice(&chunk[..length]);
        bytes = &bytes[end + 4 + length..];
    }
}

/// The message of the last event that has one.
fn last_event(events: &[u8]) -> Option<Vec<u8>> {
    let lines = events.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| line.strip_prefix(b"data: "));
    messages.rev().find(|message| !message.is_empty()).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\ndate: x\r\n\r\nok";
        assert_eq!(parse_head(bytes).unwrap(), Some((200, 47, Some(2))));
        assert_eq!(parse_head(&bytes[..45]).unwrap(), None);
        assert!(parse_head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }

    #[test]
    fn the_last_event_of_a_stream_is_its_answer() {
        let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(parse_head(head).unwrap(), Some((200, head.len(), None)));
        let bytes = b"3\r\n:\n\n\r\n9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n";
        for end in 0..bytes.len() {
            assert_eq!(parse_chunks(&bytes[..end]).unwrap(), None);
        }
        assert_eq!(last_event(&parse_chunks(bytes).unwrap().unwrap()), Some(b"b".to_vec()));
        assert!(parse_chunks(b"x\r\n").is_err());
    }
}
