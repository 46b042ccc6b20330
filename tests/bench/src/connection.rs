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
        let (status, body) = loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some((status, start, length)) = parse_head(&self.buffer)? {
                break (status, start..start + length);
            }
        };
        self.buffer.reserve(body.end.saturating_sub(self.buffer.len()));
        while self.buffer.len() < body.end {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        if self.buffer.len() > body.end {
            return Err(io::Error::other("more than one answer"));
        }
        Ok(Response { status, body: &self.buffer[body] })
    }

    /// Sends a request and leaves without the answer.
    pub async fn send_and_leave(mut self, request: &[u8]) -> io::Result<()> {
        self.stream.write_all(request).await
    }
}

/// The status, where the body begins and how long it is; nothing while the head is not complete.
fn parse_head(bytes: &[u8]) -> io::Result<Option<(u16, usize, usize)>> {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return Ok(None);
    };
    let wrong = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let head = str::from_utf8(&bytes[..end]).map_err(|_| wrong("a head that is not text"))?;
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok())
        .ok_or_else(|| wrong("no status"))?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    Ok(Some((status, end + 4, length.ok_or_else(|| wrong("no content-length"))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\ndate: x\r\n\r\nok";
        assert_eq!(parse_head(bytes).unwrap(), Some((200, 47, 2)));
        assert_eq!(parse_head(&bytes[..45]).unwrap(), None);
        assert!(parse_head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
