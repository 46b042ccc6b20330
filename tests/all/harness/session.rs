//! A client of 2025-11-25 that introduced itself over HTTP.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    events::EventStream,
    http::Response,
    process::{Host, request},
};

/// Its session, as its id tells it.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    /// The id.
    pub(crate) id: String,
    version: &'static str,
}

impl Session {
    /// Shakes hands.
    pub(crate) async fn begin(host: &Host) -> Self {
        Self::begin_with(host, "2025-11-25", json!({})).await
    }

    /// The same, with a revision and capabilities of the client.
    pub(crate) async fn begin_with(
        host: &Host,
        version: &'static str,
        capabilities: Value,
    ) -> Self {
        let client = json!({ "name": "test", "version": "7" });
        let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": client });
        let body = message(Some(&json!(0)), "initialize", &params);
        let response = host.post(&[], body.as_bytes()).await;
        let id = response.header("mcp-session-id").expect("there is a session").to_owned();
        let session = Self { id, version };
        session.notify(host, "notifications/initialized", json!({})).await;
        session
    }

    /// Posts a request and waits for its answer, be it a stream.
    pub(crate) async fn post(
        &self,
        host: &Host,
        id: Value,
        method: &str,
        params: Value,
    ) -> Response {
        host.raw(&self.request(&id, method, &params)).await
    }

    /// Posts a request whose answer is a stream.
    pub(crate) async fn open(
        &self,
        host: &Host,
        id: Value,
        method: &str,
        params: Value,
    ) -> EventStream {
        host.open_stream(&self.request(&id, method, &params)).await
    }

    /// Posts a notification.
    pub(crate) async fn notify(&self, host: &Host, method: &str, params: Value) {
        let body = message(None, method, &params);
        let response = host.post(&self.headers(), body.as_bytes()).await;
        assert_eq!((response.status, response.text.as_str()), (202, ""), "{method}");
    }

    /// Opens the stream on which the host speaks by itself.
    pub(crate) async fn listen(&self, host: &Host) -> EventStream {
        host.open_stream(&self.get(&[])).await
    }

    /// Reads on after an event.
    pub(crate) async fn resume(&self, host: &Host, event_id: &str) -> EventStream {
        host.open_stream(&self.get(&[("Last-Event-ID", event_id)])).await
    }

    /// A GET with more headers, as bytes.
    pub(crate) fn get(&self, headers: &[(&str, &str)]) -> Vec<u8> {
        get("/mcp", &[&self.headers()[..], headers].concat())
    }

    /// A request, as bytes.
    pub(crate) fn request(&self, id: &Value, method: &str, params: &Value) -> Vec<u8> {
        request(&self.headers(), message(Some(id), method, params).as_bytes())
    }

    fn headers(&self) -> [(&str, &str); 2] {
        [("Mcp-Session-Id", &self.id), ("MCP-Protocol-Version", self.version)]
    }
}

/// A GET for a stream, as bytes.
pub(crate) fn get(path: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut head =
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n");
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").expect("a string takes every write");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// A message of the legacy era. Without an id it is a notification.
pub(crate) fn message(id: Option<&Value>, method: &str, params: &Value) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    if let Some(id) = id {
        message["id"] = id.clone();
    }
    message.to_string()
}
