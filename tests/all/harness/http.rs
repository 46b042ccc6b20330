//! A client that writes its own bytes, so that tests can send what no library would.

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// An answer of the host.
#[derive(Debug)]
pub(crate) struct Response {
    /// The status code.
    pub(crate) status: u16,
    /// The headers, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// The body as JSON, or the last message of a stream; null when there is none.
    pub(crate) body: Value,
    /// The messages of a stream, in order.
    pub(crate) messages: Vec<Value>,
    /// The body as it came.
    pub(crate) text: String,
}

impl Response {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What an answer begins with.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
}

impl Head {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn is_chunked(&self) -> bool {
        self.header("transfer-encoding") == Some("chunked")
    }
}

/// A connection that is kept open between requests.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(port: u16) -> Self {
        let stream =
            TcpStream::connect(("127.0.0.1", port)).await.expect("the host accepts connections");
        stream.set_nodelay(true).expect("a socket has options");
        Self { stream, buffer: Vec::new() }
    }

    /// Sends bytes and reads one answer.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> Response {
        // The host may answer and close before it has read everything.
        let _ = self.stream.write_all(bytes).await;
        self.read().await
    }

    /// Sends bytes and reads the head of an answer: what follows comes event by event.
    pub(super) async fn send_for_head(&mut self, bytes: &[u8]) -> Head {
        self.stream.write_all(bytes).await.expect("the host reads");
        self.read_head().await
    }

    /// Reads more, and gives how much; nothing, if the host closed the connection.
    async fn fill(&mut self) -> usize {
        self.stream.read_buf(&mut self.buffer).await.unwrap_or_default()
    }

    async fn read_head(&mut self) -> Head {
        let end = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end + 4;
            }
            assert!(self.fill().await > 0, "the host closed the connection without an answer");
        };
        let head = String::from_utf8(self.buffer.drain(..end).collect()).expect("a head is text");
        let mut lines = head.lines();
        let status_line = lines.next().unwrap_or_default();
        let status = status_line.split(' ').nth(1).and_then(|code| code.parse().ok());
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let status = status.unwrap_or_else(|| panic!("no status in `{status_line}`"));
        Head { status, headers }
    }

    async fn read(&mut self) -> Response {
        let head = self.read_head().await;
        let length: Option<usize> =
            head.header("content-length").and_then(|length| length.parse().ok());
        let body = match length {
            Some(length) => {
                while self.buffer.len() < length {
                    assert!(self.fill().await > 0, "the host closed the connection within a body");
                }
                self.buffer.drain(..length).collect()
            }
            None if head.is_chunked() => self.read_chunks().await,
            None => Vec::new(),
        };
        let is_stream = head.header("content-type") == Some("text/event-stream");
        let text = String::from_utf8(body).expect("a body is text");
        let messages = if is_stream { messages(&text) } else { Vec::new() };
        Response {
            status: head.status,
            headers: head.headers,
            body: messages
                .last()
                .cloned()
                .unwrap_or_else(|| serde_json::from_str(&text).unwrap_or_default()),
            messages,
            text,
        }
    }

    async fn read_chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        while let Some(chunk) = self.read_chunk().await {
            body.extend(chunk);
        }
        body
    }

    /// The next chunk of a body. None: it was the last one. May be dropped at any time without losing one.
    pub(super) async fn read_chunk(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(end) = find(&self.buffer, b"\r\n") {
                let size = String::from_utf8_lossy(&self.buffer[..end]);
                let size =
                    usize::from_str_radix(size.trim(), 16).expect("a chunk begins with its size");
                let end = end + 2;
                if self.buffer.len() >= end + size + 2 {
                    let chunk = self.buffer[end..end + size].to_vec();
                    self.buffer.drain(..end + size + 2);
                    return (size > 0).then_some(chunk);
                }
            }
            assert!(self.fill().await > 0, "the host closed the connection within a chunk");
        }
    }
}

/// The messages of events.
fn messages(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| !data.is_empty())
        .map(|data| serde_json::from_str(data).expect("an event has a message"))
        .collect()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
