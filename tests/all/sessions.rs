//! Legacy sessions: ids that say all there is to know, and calls that outlive their connections.

use serde_json::{Value, json};

use crate::harness::{Event, Host, Response, Session, get, request};

/// The folder of the user is this one, so that its keys can be told apart.
fn with_data_folder(builder: crate::harness::Builder, name: &str) -> crate::harness::Builder {
    let folder = builder.folder().join(name);
    std::fs::create_dir_all(&folder).expect("a folder is made");
    let folder = folder.to_str().expect("its name is text").to_owned();
    builder.environment("XDG_DATA_HOME", &folder)
}

async fn context(host: &Host, session: &Session) -> Value {
    let params = json!({ "name": "show_context", "arguments": {} });
    let response = session.post(host, json!(1), "tools/call", params).await;
    response.body["result"]["structuredContent"].clone()
}

fn sleep(ms: u64) -> Value {
    json!({ "name": "sleeps", "arguments": { "ms": ms } })
}

fn event_id(event: &Event) -> String {
    event.id.clone().unwrap_or_else(|| panic!("no id: {event:?}"))
}

fn check_refused(response: &Response, status: u16) {
    assert_eq!(response.status, status, "{}", response.text);
    assert_eq!(response.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn a_function_knows_what_the_client_said_at_the_handshake() {
    let host = Host::start(&["echo"]).await;
    let capabilities = json!({ "sampling": {}, "roots": { "listChanged": true } });
    let session = Session::begin_with(&host, "2025-06-18", capabilities.clone()).await;
    let context = context(&host, &session).await;
    assert_eq!(context["client"], json!({ "name": "test", "version": "7" }));
    assert_eq!(context["capabilities"], capabilities);
}

#[tokio::test]
async fn a_session_outlives_the_host_that_gave_it() {
    let host = with_data_folder(Host::builder(), "data").programs(&["echo"]).start().await;
    let session = Session::begin_with(&host, "2025-11-25", json!({ "sampling": {} })).await;
    let before = context(&host, &session).await;
    let (_, stopped) = host.stop().await;
    let host = with_data_folder(stopped.builder(), "data").start().await;
    let after = context(&host, &session).await;
    for name in ["session", "client", "capabilities"] {
        assert_eq!(before[name], after[name]);
        assert_ne!(after[name], Value::Null);
    }
}

#[tokio::test]
async fn a_session_of_another_key_counts_as_none() {
    let host = with_data_folder(Host::builder(), "data").programs(&["echo"]).start().await;
    let session = Session::begin(&host).await;
    let (_, stopped) = host.stop().await;
    let host = with_data_folder(stopped.builder(), "other").start().await;
    let context = context(&host, &session).await;
    for name in ["session", "client"] {
        assert_eq!(context[name], Value::Null, "{name}");
    }
    assert_eq!(context["arguments"], json!({}), "it is served all the same");
    let response = host.raw(&session.get(&[])).await;
    check_refused(&response, 405);
}

#[tokio::test]
async fn hosts_with_one_key_serve_each_others_sessions() {
    let start = |data| {
        let builder = with_data_folder(Host::builder(), data).programs(&["echo"]);
        builder.environment("McpStateKey", "a secret of both, of 32 characters or more").start()
    };
    let (first, second) = (start("data").await, start("other").await);
    let session = Session::begin(&first).await;
    assert_eq!(
        context(&second, &session).await["session"],
        context(&first, &session).await["session"]
    );
    assert_eq!(context(&second, &session).await["client"]["name"], "test");
}

#[tokio::test]
async fn a_session_cannot_be_ended() {
    let host = Host::start(&["echo"]).await;
    let session = Session::begin(&host).await;
    let delete = String::from_utf8(session.get(&[])).expect("text").replacen("GET", "DELETE", 1);
    let response = host.raw(delete.as_bytes()).await;
    check_refused(&response, 405);
    assert_eq!(response.header("allow"), Some("GET, POST"));
}

#[tokio::test]
async fn a_client_without_a_session_has_no_stream_to_open() {
    let host = Host::start(&["echo"]).await;
    for headers in [
        &[][..],
        &[("Last-Event-ID", "x-1")],
        &[("Mcp-Session-Id", "of-another-host")],
        &[("Mcp-Session-Id", "of-another-host"), ("Last-Event-ID", "x-1")],
    ] {
        let response = host.raw(&get("/mcp", headers)).await;
        check_refused(&response, 405);
        assert_eq!(response.header("allow"), Some("POST"), "{headers:?}");
    }
}

#[tokio::test]
async fn a_call_goes_on_without_its_connection_and_its_answer_can_be_fetched() {
    let host = Host::start(&["sleepy"]).await;
    let session = Session::begin(&host).await;
    let mut stream = session.open(&host, json!("a call"), "tools/call", sleep(3000)).await;
    let primer = event_id(&stream.next().await.expect("there is an event to come back for"));
    drop(stream);
    // While it runs, and again once it is over.
    for _ in 0..2 {
        let mut stream = session.resume(&host, &primer).await;
        let event = stream.next().await.expect("there is an answer");
        let reply = event.message();
        assert_eq!(reply["id"], "a call");
        assert_eq!(reply["result"]["content"][0]["text"], "slept 3000 ms");
        assert_ne!(event_id(&event), primer);
        assert_eq!(stream.next().await, None);
    }
}

#[tokio::test]
async fn who_comes_back_gets_what_followed_and_nothing_twice() {
    let host = Host::start(&["reports"]).await;
    let session = Session::begin(&host).await;
    let params = json!({ "name": "reports", "arguments": { "steps": 5, "ms": 500 },
                         "_meta": { "progressToken": 1 } });
    let stream = session.open(&host, json!(1), "tools/call", params).await;
    let all: Vec<Event> =
        stream.rest().await.into_iter().filter(|event| !event.data.is_empty()).collect();
    assert_eq!(all.len(), 6, "{all:?}");
    for (place, event) in all.iter().enumerate().take(5) {
        let rest = session.resume(&host, &event_id(event)).await.rest().await;
        assert_eq!(rest, all[place + 1..]);
    }
}

#[tokio::test]
async fn who_comes_back_gets_nothing_of_another_call() {
    let host = Host::start(&["sleepy", "reports"]).await;
    let session = Session::begin(&host).await;
    let mut first = session.open(&host, json!("first"), "tools/call", sleep(2500)).await;
    let primer = event_id(&first.next().await.expect("there is an event to come back for"));
    let params = json!({ "name": "reports", "arguments": { "steps": 5 },
                         "_meta": { "progressToken": 1 } });
    session.open(&host, json!("second"), "tools/call", params).await.rest().await;
    drop(first);
    let rest = session.resume(&host, &primer).await.rest().await;
    let ids: Vec<Value> = rest.iter().map(|event| event.message()["id"].clone()).collect();
    assert_eq!(ids, ["first"]);
}

#[tokio::test]
async fn a_client_of_before_2025_11_gets_no_event_without_a_message() {
    let host = Host::start(&["sleepy"]).await;
    let session = Session::begin_with(&host, "2025-06-18", json!({})).await;
    let stream = session.open(&host, json!(1), "tools/call", sleep(1500)).await;
    let events = stream.rest().await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].message()["id"], 1);
}

#[tokio::test]
async fn an_event_that_is_none_of_the_session_is_refused() {
    let host = Host::start(&["reports"]).await;
    let (session, other) = (Session::begin(&host).await, Session::begin(&host).await);
    let params = json!({ "name": "reports", "arguments": { "steps": 2 },
                         "_meta": { "progressToken": 1 } });
    let events = session.open(&host, json!(1), "tools/call", params).await.rest().await;
    let first = event_id(&events[0]);
    let last = event_id(events.last().expect("there is an answer"));
    let stream = first.rsplit_once('-').expect("an id has a number").0;
    let response = host.raw(&other.get(&[("Last-Event-ID", &first)])).await;
    check_refused(&response, 400);
    for unknown in ["", "x", "x-1", "-", &format!("{stream}-99"), &format!("{stream}--1"), stream] {
        let response = host.raw(&session.get(&[("Last-Event-ID", unknown)])).await;
        check_refused(&response, 400);
    }
    // Nothing follows the last one, and nothing ever will.
    let response = host.raw(&session.get(&[("Last-Event-ID", &last)])).await;
    check_refused(&response, 400);
}

#[tokio::test]
async fn a_session_that_is_used_keeps_its_log_level() {
    let settings = json!({ "version": "2.0",
                           "extensions": { "mcp": { "sessionTimeout": "00:00:01" } } });
    let host =
        Host::builder().programs(&["everything", "sleepy"]).host_json(settings).start().await;
    let session = Session::begin(&host).await;
    session.post(&host, json!(1), "logging/setLevel", json!({ "level": "error" })).await;
    for _ in 0..4 {
        session.post(&host, json!(2), "tools/call", sleep(600)).await;
        let params = json!({ "name": "test_logging_tool" });
        let response = session.post(&host, json!(3), "tools/call", params).await;
        assert_eq!(response.messages.len(), 2, "{}", response.text);
    }
}

#[tokio::test]
async fn a_stateless_call_is_served_without_a_handshake() {
    let host = Host::start(&["echo"]).await;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                       "params": { "name": "show_context" } });
    let response = host.raw(&request(&[], body.to_string().as_bytes())).await;
    assert_eq!(response.body["result"]["structuredContent"]["session"], Value::Null);
}
