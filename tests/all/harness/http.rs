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

    async fn fill(&mut self) -> usize {
        self.stream.read_buf(&mut self.buffer).await.unwrap_or_default()
    }

    async fn read(&mut self) -> Response {
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
        let header = |name: &str| {
            headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        let length: Option<usize> = header("content-length").and_then(|length| length.parse().ok());
        let body = match length {
            Some(length) => {
                while self.buffer.len() < length {
                    assert!(self.fill().await > 0, "the host closed the connection within a body");
                }
                self.buffer.drain(..length).collect()
            }
            None if header("transfer-encoding") == Some("chunked") => self.read_chunks().await,
            None => Vec::new(),
        };
        let is_stream = header("content-type") == Some("text/event-stream");
        let text = String::from_utf8(body).expect("a body is text");
        let messages = if is_stream { messages(&text) } else { Vec::new() };
        Response {
            status: status.unwrap_or_else(|| panic!("no status in `{status_line}`")),
            headers,
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
        loop {
            let end = loop {
                if let Some(end) = find(&self.buffer, b"\r\n") {
                    break end;
                }
                assert!(self.fill().await > 0, "the host closed the connection within a chunk");
            };
            let line: Vec<u8> = self.buffer.drain(..end + 2).collect();
            let size = String::from_utf8_lossy(&line[..end]).into_owned();
            let size =
                usize::from_str_radix(size.trim(), 16).expect("a chunk begins with its size");
            while self.buffer.len() < size + 2 {
                assert!(self.fill().await > 0, "the host closed the connection within a chunk");
            }
            body.extend(self.buffer.drain(..size + 2).take(size));
            if size == 0 {
                return body;
            }
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
