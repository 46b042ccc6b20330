//! The transport of 2024-11-05: a stream at `/sse`, and what is posted beside it.

use serde_json::{Value, json};

use crate::harness::{EventStream, Host, Response, Session, get, message, program};

/// A client of that time.
struct Client {
    stream: EventStream,
    path: String,
}

impl Client {
    async fn open(host: &Host) -> Self {
        Self::open_at(host, "/sse").await
    }

    async fn open_at(host: &Host, path: &str) -> Self {
        let mut stream = host.open_stream(&get(path, &[])).await;
        let first = stream.next().await.expect("there is an event");
        assert_eq!(first.kind, "endpoint");
        Self { stream, path: first.data }
    }

    async fn send(&self, host: &Host, message: &str) {
        let response = post(host, &self.path, message).await;
        assert_eq!((response.status, response.text.as_str()), (202, ""));
    }

    async fn ask(&mut self, host: &Host, method: &str, params: Value) -> Value {
        self.send(host, &message(Some(&json!("asked")), method, &params)).await;
        self.stream.next_message().await
    }

    async fn shake_hands(&mut self, host: &Host) {
        let client = json!({ "name": "old", "version": "1" });
        let params =
            json!({ "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": client });
        let reply = self.ask(host, "initialize", params).await;
        assert_eq!(reply["result"]["protocolVersion"], "2024-11-05");
        self.send(host, &message(None, "notifications/initialized", &json!({}))).await;
    }
}

async fn post(host: &Host, path: &str, body: &str) -> Response {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    host.raw(&[head.as_bytes(), body.as_bytes()].concat()).await
}

fn sleep(ms: u64) -> Value {
    json!({ "name": "sleeps", "arguments": { "ms": ms } })
}

#[tokio::test]
async fn a_stream_begins_with_where_to_post() {
    let host = Host::start(&["echo"]).await;
    for (path, expected) in [
        ("/sse", "/message?sessionId="),
        ("/sse/", "/message?sessionId="),
        ("/runtime/webhooks/mcp/sse", "/runtime/webhooks/mcp/message?sessionId="),
    ] {
        let client = Client::open_at(&host, path).await;
        assert!(client.path.starts_with(expected), "{}", client.path);
        assert_eq!(client.stream.header("x-accel-buffering"), Some("no"));
        assert_eq!(client.stream.header("cache-control"), Some("no-cache"));
    }
}

#[tokio::test]
async fn what_is_posted_is_answered_on_the_stream() {
    let host = Host::start(&["echo"]).await;
    for path in ["/sse", "/runtime/webhooks/mcp/sse"] {
        let mut client = Client::open_at(&host, path).await;
        client.shake_hands(&host).await;
        let params = json!({ "name": "show_context", "arguments": {} });
        let reply = client.ask(&host, "tools/call", params).await;
        let context = &reply["result"]["structuredContent"];
        assert_eq!(context["client"], json!({ "name": "old", "version": "1" }));
        assert_eq!(context["transport"], "http");
    }
}

#[tokio::test]
async fn each_client_gets_its_own_answers() {
    let host = Host::start(&["echo"]).await;
    let (mut first, mut second) = (Client::open(&host).await, Client::open(&host).await);
    assert_ne!(first.path, second.path);
    for (client, text) in [(&mut first, "first"), (&mut second, "second")] {
        let params = json!({ "name": "echo", "arguments": { "text": text } });
        let reply = client.ask(&host, "tools/call", params).await;
        assert_eq!(reply["result"]["content"][0]["text"], text);
    }
}

#[tokio::test]
async fn progress_comes_before_the_answer() {
    let host = Host::start(&["reports"]).await;
    let mut client = Client::open(&host).await;
    client.shake_hands(&host).await;
    for _ in 0..20 {
        let params = json!({ "name": "reports", "arguments": { "steps": 20 },
                             "_meta": { "progressToken": "a" } });
        client.send(&host, &message(Some(&json!(1)), "tools/call", &params)).await;
        for step in 1..=20 {
            let told = client.stream.next_message().await;
            assert_eq!(told["params"]["progress"], step, "{told}");
        }
        assert_eq!(client.stream.next_message().await["id"], 1);
    }
}

#[tokio::test]
async fn a_long_call_does_not_hold_up_a_short_one() {
    let host = Host::start(&["sleepy"]).await;
    let mut client = Client::open(&host).await;
    for (id, ms) in [(1, 2000), (2, 1)] {
        client.send(&host, &message(Some(&json!(id)), "tools/call", &sleep(ms))).await;
    }
    assert_eq!(client.stream.next_message().await["id"], 2);
    assert_eq!(client.stream.next_message().await["id"], 1);
}

#[tokio::test]
async fn closing_the_stream_cancels_every_call() {
    let host = Host::start(&["sleepy"]).await;
    let client = Client::open(&host).await;
    for id in 0..3 {
        client.send(&host, &message(Some(&json!(id)), "tools/call", &sleep(25_000))).await;
    }
    host.logged_again("sleeping", 3).await;
    drop(client);
    host.logged_again("outcome=\"cancelled\"", 3).await;
}

#[tokio::test]
async fn a_notification_cancels_a_call() {
    let host = Host::start(&["sleepy"]).await;
    let mut client = Client::open(&host).await;
    client.send(&host, &message(Some(&json!(1)), "tools/call", &sleep(25_000))).await;
    host.logged("sleeping").await;
    let params = json!({ "requestId": 1 });
    client.send(&host, &message(None, "notifications/cancelled", &params)).await;
    host.logged("outcome=\"cancelled\"").await;
    assert_eq!(client.ask(&host, "ping", json!({})).await["id"], "asked");
}

#[tokio::test]
async fn an_old_client_hears_of_a_component_that_is_added() {
    let host = Host::start(&["sleepy"]).await;
    let mut client = Client::open(&host).await;
    client.shake_hands(&host).await;
    // Answered only once the handshake was taken in.
    client.ask(&host, "ping", json!({})).await;
    let to = host.folder().join("functions/echo.wasm");
    std::fs::copy(program("echo"), to).expect("it is copied");
    let told = client.stream.next_message().await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn what_is_no_message_is_answered_on_the_stream() {
    let host = Host::start(&["echo"]).await;
    let mut client = Client::open(&host).await;
    client.send(&host, "{").await;
    assert_eq!(client.stream.next_message().await["error"]["code"], -32700);
    assert_eq!(client.ask(&host, "ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn the_last_answer_is_written_before_the_host_stops() {
    let host = Host::start(&["sleepy"]).await;
    let mut client = Client::open(&host).await;
    client.send(&host, &message(Some(&json!(1)), "tools/call", &sleep(2000))).await;
    host.logged("sleeping").await;
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    assert_eq!(client.stream.next_message().await["id"], 1);
    assert_eq!(client.stream.next().await, None);
}

#[tokio::test]
async fn a_long_conversation_does_not_fill_what_is_kept() {
    let host = Host::start(&["echo"]).await;
    let mut client = Client::open(&host).await;
    // 400 MiB, of which 256 MiB would be kept.
    let params = json!({ "name": "echo", "arguments": { "unknown": "x".repeat(4_000_000) } });
    for _ in 0..100 {
        assert_eq!(client.ask(&host, "tools/call", params.clone()).await["id"], "asked");
    }
}

#[tokio::test]
async fn a_message_for_a_stream_that_is_not_ours_finds_nothing() {
    let host = Host::start(&["echo"]).await;
    let session = Session::begin(&host).await;
    let ping = message(Some(&json!(1)), "ping", &json!({}));
    for query in ["", "?", "?sessionId", "?sessionId=", "?sessionId=x", "?session=x"] {
        let response = post(&host, &format!("/message{query}"), &ping).await;
        assert_eq!(response.status, 404, "{query}");
    }
    // Of the other transport.
    let response = post(&host, &format!("/message?sessionId={}", session.id), &ping).await;
    assert_eq!(response.status, 404);
}

#[tokio::test]
async fn the_stream_is_opened_and_the_message_is_posted() {
    let host = Host::start(&["echo"]).await;
    let response = post(&host, "/sse", "{}").await;
    assert_eq!((response.status, response.header("allow")), (405, Some("GET")));
    let response = host.raw(&get("/message?sessionId=x", &[])).await;
    assert_eq!((response.status, response.header("allow")), (405, Some("POST")));
}

#[tokio::test]
async fn nothing_is_there_where_the_old_transport_is_turned_off() {
    let settings = json!({ "version": "2.0", "extensions": { "mcp": { "legacySse": false } } });
    let host = Host::builder().programs(&["echo"]).host_json(settings).start().await;
    for path in ["/sse", "/runtime/webhooks/mcp/sse"] {
        assert_eq!(host.raw(&get(path, &[])).await.status, 404, "{path}");
        assert_eq!(post(&host, path, "{}").await.status, 404, "{path}");
    }
    assert_eq!(post(&host, "/message?sessionId=x", "{}").await.status, 404);
}
