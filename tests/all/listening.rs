//! Streams on which the host speaks by itself: of a legacy session, and of `subscriptions/listen`.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{EventStream, Host, Session, Stdio, message, program, request};

const WATCHED: &str = "test://watched-resource";
const OTHER: &str = "test://static-text";

const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
const UPDATED: &str = "notifications/resources/updated";

const TAG: &str = "io.modelcontextprotocol/subscriptionId";

fn updates(uri: &str) -> Value {
    json!({ "name": "test_trigger_resource_update", "arguments": { "uri": uri } })
}

fn tools_change() -> Value {
    json!({ "name": "test_trigger_tool_change", "arguments": {} })
}

async fn follow(host: &Host, session: &Session, method: &str, uri: &str) {
    let response = session.post(host, json!(1), method, json!({ "uri": uri })).await;
    assert_eq!(response.body["result"], json!({}), "{}", response.text);
}

async fn trigger(host: &Host, params: Value) {
    let response = host.post_modern("tools/call", params).await;
    assert_ne!(response.body["result"]["isError"], true, "{}", response.text);
}

async fn listen(host: &Host, id: &Value, filter: Value) -> EventStream {
    let mut params = json!({ "notifications": filter });
    params["_meta"] = meta();
    let body = message(Some(id), "subscriptions/listen", &params);
    let headers = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "subscriptions/listen")];
    host.open_stream(&request(&headers, body.as_bytes())).await
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

async fn check_acknowledged(stream: &mut EventStream, id: &Value, filter: &Value) {
    let told = stream.next_message().await;
    let params = json!({ "notifications": filter, "_meta": { TAG: id } });
    assert_eq!(told["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(told["params"], params);
}

#[tokio::test]
async fn a_session_hears_of_a_component_that_is_added() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    let mut stream = session.listen(&host).await;
    assert_eq!(stream.header("x-accel-buffering"), Some("no"));
    fs::copy(program("echo"), host.folder().join("functions/echo.wasm")).expect("it is copied");
    let told = stream.next_message().await;
    assert_eq!(told["method"], TOOLS_CHANGED);
    // Whoever was told finds it.
    let listed = session.post(&host, json!(1), "tools/list", json!({})).await;
    assert!(listed.text.contains("\"show_context\""), "{}", listed.text);
}

#[tokio::test]
async fn a_session_hears_of_every_list_that_a_function_changes() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    let mut stream = session.listen(&host).await;
    for list in ["tool", "prompt", "resource"] {
        trigger(&host, json!({ "name": format!("test_trigger_{list}_change") })).await;
        let told = stream.next_message().await;
        assert_eq!(told["method"], format!("notifications/{list}s/list_changed"), "{told}");
    }
}

#[tokio::test]
async fn a_session_hears_of_the_resources_that_it_follows_only() {
    let host = Host::start(&["everything"]).await;
    let (session, other) = (Session::begin(&host).await, Session::begin(&host).await);
    let (mut stream, mut of_other) = (session.listen(&host).await, other.listen(&host).await);
    follow(&host, &session, "resources/subscribe", WATCHED).await;
    trigger(&host, updates(OTHER)).await;
    trigger(&host, updates(WATCHED)).await;
    let told = stream.next_message().await;
    assert_eq!(told, json!({ "jsonrpc": "2.0", "method": UPDATED, "params": { "uri": WATCHED } }));
    trigger(&host, tools_change()).await;
    for stream in [&mut stream, &mut of_other] {
        assert_eq!(stream.next_message().await["method"], TOOLS_CHANGED);
    }
}

#[tokio::test]
async fn what_is_followed_before_the_stream_is_opened_counts_too() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    follow(&host, &session, "resources/subscribe", WATCHED).await;
    let mut stream = session.listen(&host).await;
    trigger(&host, updates(WATCHED)).await;
    assert_eq!(stream.next_message().await["params"]["uri"], WATCHED);
}

#[tokio::test]
async fn an_update_right_after_its_subscription_is_told() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    let mut stream = session.listen(&host).await;
    // A race, if there is one, shows itself sooner or later.
    for _ in 0..100 {
        follow(&host, &session, "resources/subscribe", WATCHED).await;
        trigger(&host, updates(WATCHED)).await;
        assert_eq!(stream.next_message().await["method"], UPDATED);
        follow(&host, &session, "resources/unsubscribe", WATCHED).await;
    }
}

#[tokio::test]
async fn a_session_hears_no_more_of_what_it_does_not_follow_any_longer() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    let mut stream = session.listen(&host).await;
    follow(&host, &session, "resources/subscribe", WATCHED).await;
    trigger(&host, updates(WATCHED)).await;
    assert_eq!(stream.next_message().await["method"], UPDATED);
    follow(&host, &session, "resources/unsubscribe", WATCHED).await;
    trigger(&host, updates(WATCHED)).await;
    trigger(&host, tools_change()).await;
    assert_eq!(stream.next_message().await["method"], TOOLS_CHANGED);
}

#[tokio::test]
async fn what_there_is_not_cannot_be_followed() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    let long = format!("test://{}", "x".repeat(8 << 10));
    for (params, code) in [
        (json!({ "uri": "test://nothing" }), -32002),
        (json!({ "uri": 1 }), -32602),
        (json!({ "uri": long }), -32602),
        (json!({}), -32602),
    ] {
        let response = session.post(&host, json!(1), "resources/subscribe", params).await;
        assert_eq!(response.body["error"]["code"], code, "{}", response.text);
    }
}

#[tokio::test]
async fn one_message_goes_to_one_stream_of_a_session() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    let first = session.listen(&host).await;
    // A client that lost the first one without the host's knowing it.
    let mut second = session.listen(&host).await;
    trigger(&host, tools_change()).await;
    assert_eq!(second.next_message().await["method"], TOOLS_CHANGED);
    assert_eq!(first.rest().await, []);
}

#[tokio::test]
async fn the_stream_of_a_session_ends_when_the_host_stops() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    let stream = session.listen(&host).await;
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    assert_eq!(stream.rest().await, []);
}

#[tokio::test]
async fn a_modern_client_is_told_what_is_listened_to() {
    let host = Host::start(&["everything"]).await;
    let filter = json!({ "toolsListChanged": true, "resourceSubscriptions": [WATCHED] });
    for id in [json!(7), json!("seven")] {
        let mut stream = listen(&host, &id, filter.clone()).await;
        check_acknowledged(&mut stream, &id, &filter).await;
    }
    let mut stream = listen(&host, &json!(1), json!({})).await;
    check_acknowledged(&mut stream, &json!(1), &json!({})).await;
}

#[tokio::test]
async fn a_modern_client_hears_what_it_asked_for_with_the_id_of_its_request() {
    let host = Host::start(&["everything"]).await;
    let filter = json!({ "promptsListChanged": true, "resourceSubscriptions": [WATCHED] });
    let id = json!("a");
    let mut stream = listen(&host, &id, filter.clone()).await;
    check_acknowledged(&mut stream, &id, &filter).await;
    trigger(&host, tools_change()).await;
    trigger(&host, json!({ "name": "test_trigger_resource_change" })).await;
    trigger(&host, updates(OTHER)).await;
    trigger(&host, updates(WATCHED)).await;
    let told = stream.next_message().await;
    assert_eq!(told["method"], UPDATED);
    assert_eq!(told["params"], json!({ "uri": WATCHED, "_meta": { TAG: "a" } }));
    trigger(&host, json!({ "name": "test_trigger_prompt_change" })).await;
    let told = stream.next_message().await;
    assert_eq!(told["method"], "notifications/prompts/list_changed");
    assert_eq!(told["params"], json!({ "_meta": { TAG: "a" } }));
}

#[tokio::test]
async fn what_one_stream_follows_has_a_bound() {
    let host = Host::start(&["everything"]).await;
    let long = "a:".repeat(2 << 10);
    for uris in [vec!["a:b"; 1001], vec![&long; 65]] {
        let params = json!({ "notifications": { "resourceSubscriptions": uris } });
        let response = host.post_modern("subscriptions/listen", params).await;
        assert_eq!(response.body["error"]["code"], -32602, "{}", response.text);
    }
}

#[tokio::test]
async fn a_stream_is_opened_by_those_whose_revision_has_sessions() {
    let host = Host::start(&["echo"]).await;
    let session = Session::begin(&host).await;
    for (version, status) in [("2026-07-28", 405), ("1999-01-01", 400)] {
        let head = format!(
            "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: {}\r\n\
             MCP-Protocol-Version: {version}\r\n\r\n",
            session.id,
        );
        assert_eq!(host.raw(head.as_bytes()).await.status, status, "{version}");
    }
}

#[tokio::test]
async fn a_modern_client_hears_of_a_component_that_is_added() {
    let host = Host::start(&["everything"]).await;
    let filter = json!({ "toolsListChanged": true });
    let mut stream = listen(&host, &json!(1), filter.clone()).await;
    check_acknowledged(&mut stream, &json!(1), &filter).await;
    fs::copy(program("echo"), host.folder().join("functions/echo.wasm")).expect("it is copied");
    assert_eq!(stream.next_message().await["method"], TOOLS_CHANGED);
}

#[tokio::test]
async fn what_a_modern_client_listens_to_ends_with_a_result_when_the_host_stops() {
    let host = Host::start(&["everything"]).await;
    let mut stream = listen(&host, &json!("a"), json!({ "toolsListChanged": true })).await;
    stream.next_message().await;
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    let result = json!({ "resultType": "complete", "_meta": { TAG: "a" } });
    let end = stream.next_message().await;
    assert_eq!(end, json!({ "jsonrpc": "2.0", "id": "a", "result": result }));
    assert_eq!(stream.next().await, None);
}

async fn shake_hands(host: &mut Stdio) {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    host.send(&message(Some(&json!(0)), "initialize", &params)).await;
    host.receive().await;
    host.send(&message(None, "notifications/initialized", &json!({}))).await;
}

/// Asks, and reads what comes up to the answer, which is the last.
async fn ask(host: &mut Stdio, method: &str, params: Value) -> Vec<Value> {
    host.send(&message(Some(&json!("asked")), method, &params)).await;
    let mut messages = Vec::new();
    loop {
        messages.push(host.receive().await);
        if messages.last().is_some_and(|last| last["id"] == "asked") {
            return messages;
        }
    }
}

/// The notifications that follow from a call, up to one of this method.
async fn told_after(host: &mut Stdio, params: Value, method: &str) -> Vec<Value> {
    host.send(&message(Some(&json!("asked")), "tools/call", &params)).await;
    let mut told = Vec::new();
    let (mut is_answered, mut is_told) = (false, false);
    while !is_answered || !is_told {
        let message = host.receive().await;
        if message["id"] == "asked" {
            is_answered = true;
        } else {
            is_told |= message["method"] == method;
            told.push(message);
        }
    }
    told
}

#[tokio::test]
async fn a_client_on_stdio_hears_of_what_it_follows_and_of_lists() {
    let mut host = Host::builder().programs(&["everything"]).start_stdio();
    shake_hands(&mut host).await;
    for (method, n_told) in [("resources/subscribe", 2), ("resources/unsubscribe", 1)] {
        ask(&mut host, method, json!({ "uri": WATCHED })).await;
        ask(&mut host, "tools/call", updates(OTHER)).await;
        // What it brings may come before or after its answer.
        let mut told = ask(&mut host, "tools/call", updates(WATCHED)).await;
        told.extend(told_after(&mut host, tools_change(), TOOLS_CHANGED).await);
        told.retain(|message| message["method"].is_string());
        assert_eq!(told.len(), n_told, "{told:?}");
        assert!(told.iter().all(|it| it["params"]["uri"] != OTHER), "{told:?}");
    }
}

#[tokio::test]
async fn a_client_on_stdio_is_told_nothing_before_its_handshake() {
    let mut host = Host::builder().programs(&["everything"]).start_stdio();
    let messages = ask(&mut host, "tools/call", tools_change()).await;
    assert_eq!(messages.len(), 1, "{messages:?}");
    let messages = ask(&mut host, "ping", json!({})).await;
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[tokio::test]
async fn a_modern_client_on_stdio_listens_until_the_host_stops() {
    let mut host = Host::builder().programs(&["everything"]).start_stdio();
    let filter = json!({ "toolsListChanged": true });
    let params = json!({ "notifications": filter, "_meta": meta() });
    host.send(&message(Some(&json!(7)), "subscriptions/listen", &params)).await;
    let told = host.receive().await;
    assert_eq!(told["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(told["params"], json!({ "notifications": filter, "_meta": { TAG: 7 } }));
    let told = told_after(&mut host, tools_change(), TOOLS_CHANGED).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["params"], json!({ "_meta": { TAG: 7 } }));
    host.terminate().await;
    let end = host.receive().await;
    let result = json!({ "resultType": "complete", "_meta": { TAG: 7 } });
    assert_eq!(end, json!({ "jsonrpc": "2.0", "id": 7, "result": result }));
}

#[tokio::test]
async fn a_modern_client_on_stdio_stops_listening_by_cancelling_its_request() {
    let mut host = Host::builder().programs(&["everything"]).start_stdio();
    let params = json!({ "notifications": { "toolsListChanged": true }, "_meta": meta() });
    host.send(&message(Some(&json!(7)), "subscriptions/listen", &params)).await;
    host.receive().await;
    host.send(&message(None, "notifications/cancelled", &json!({ "requestId": 7 }))).await;
    ask(&mut host, "ping", json!({})).await;
    let messages = ask(&mut host, "tools/call", tools_change()).await;
    assert_eq!(messages.len(), 1, "{messages:?}");
    let (status, rest) = host.close().await;
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}
