//! Sends a message as bytes, as no library would, and reads what comes back.

use std::{fmt::Write as _, time::Duration};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::{
    answer::Answer,
    messages::{Era, Message},
};

/// How long a server may take; one that keeps a stream open is left after that.
const DEADLINE: Duration = Duration::from_secs(3);

/// A server, by `HOST:PORT` and path.
#[derive(Clone, Debug)]
pub struct Target {
    address: String,
    path: String,
}

/// What came back, as far as it was read.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, without chunks.
    pub body: Vec<u8>,
}

impl Response {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Target {
    /// A server from a URL such as `http://127.0.0.1:7071/mcp`.
    pub fn parse(url: &str) -> Result<Self> {
        let rest = url.strip_prefix("http://").with_context(|| format!("`{url}` is not HTTP"))?;
        let (address, path) = rest.split_once('/').unwrap_or((rest, "mcp"));
        Ok(Self { address: address.to_owned(), path: format!("/{path}") })
    }

    /// Sends a message, in a session of its own where its era has them.
    pub async fn send(&self, message: &Message) -> Result<Answer> {
        let mut message = message.clone();
        if message.era == Era::Legacy
            && needs_session(&message)
            && let Some(session) = self.open_session().await?
        {
            message.headers.push(("Mcp-Session-Id".to_owned(), session));
        }
        match self.exchange(&message).await {
            Ok(response) => Ok(Answer::of(&response)),
            Err(error) => Ok(Answer::none(&error)),
        }
    }

    /// Initializes; the id of the session if the server gives one.
    async fn open_session(&self) -> Result<Option<String>> {
        let post = |body: Value, session: Option<&str>| {
            let mut headers = vec![
                ("Content-Type".to_owned(), "application/json".to_owned()),
                ("Accept".to_owned(), "application/json, text/event-stream".to_owned()),
            ];
            headers.extend(session.map(|id| ("Mcp-Session-Id".to_owned(), id.to_owned())));
            let body = body.to_string().into_bytes();
            Message { name: String::new(), era: Era::Legacy, verb: "POST", headers, body }
        };
        let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "differential", "version": "0" } } });
        let response = self.exchange(&post(initialize, None)).await?;
        if response.status != 200 {
            bail!("`{}` answers `initialize` with {}", self.address, response.status);
        }
        let session = response.header("mcp-session-id").map(str::to_owned);
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        self.exchange(&post(initialized, session.as_deref())).await?;
        Ok(session)
    }

    async fn exchange(&self, message: &Message) -> Result<Response> {
        let mut stream = TcpStream::connect(&self.address).await.context("it does not listen")?;
        let mut head = format!("{} {} HTTP/1.1\r\n", message.verb, self.path);
        if message.header_value("Host").is_none() {
            write!(head, "Host: {}\r\n", self.address)?;
        }
        for (name, value) in &message.headers {
            write!(head, "{name}: {value}\r\n")?;
        }
        write!(head, "Content-Length: {}\r\nConnection: close\r\n\r\n", message.body.len())?;
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(&[head.as_bytes(), &message.body].concat()).await;
        let mut buffer = Vec::new();
        let read = async {
            while !is_whole(&buffer) {
                match stream.read_buf(&mut buffer).await {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
            }
        };
        // What came until then tells enough of a stream that stays open.
        let _ = timeout(DEADLINE, read).await;
        parse(&buffer).context("no answer")
    }
}

/// Whether a session is opened before the message.
fn needs_session(message: &Message) -> bool {
    let initializes = serde_json::from_slice(&message.body)
        .is_ok_and(|body: Value| body["method"] == "initialize");
    !initializes && message.header_value("Mcp-Session-Id").is_none()
}

/// Whether the answer is there, though the connection is still open.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(response) = parse(bytes) else { return false };
    if let Some(length) = response.header("content-length").and_then(|text| text.parse().ok()) {
        return response.body.len() >= length;
    }
    let is_stream = response.header("content-type").is_some_and(|it| it.contains("event-stream"));
    is_stream && Answer::of(&response).is_reply()
}

/// The answer so far; none while its head is not there.
fn parse(bytes: &[u8]) -> Option<Response> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]);
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let rest = &bytes[end + 4..];
    let mut response = Response { status, headers, body: rest.to_vec() };
    if response.header("transfer-encoding") == Some("chunked") {
        response.body = unchunked(rest);
    }
    Some(response)
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|window| window == b"\r\n") {
        let size = String::from_utf8_lossy(&rest[..end]);
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or_default();
        let chunk = &rest[end + 2..];
        body.extend_from_slice(&chunk[..size.min(chunk.len())]);
        rest = chunk.get(size + 2..).unwrap_or_default();
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_put_together() {
        assert_eq!(unchunked(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), b"abcde");
        assert_eq!(unchunked(b"3\r\nabc\r\n5\r\nde"), b"abcde");
    }

    #[test]
    fn a_stream_is_whole_with_its_response() {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        assert!(!is_whole(head.as_bytes()));
        let event = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
        assert!(is_whole(format!("{head}{event}").as_bytes()));
    }
}
