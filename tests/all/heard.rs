//! What a function says while it runs: progress and lines of the log, for those who asked.

use serde_json::{Value, json};

use crate::harness::{Host, Response, Session, Stdio, message};

/// The messages of a method.
fn of<'a>(messages: &'a [Value], method: &str) -> Vec<&'a Value> {
    let messages = messages.iter().filter(|message| message["method"] == method);
    messages.map(|message| &message["params"]).collect()
}

fn levels(messages: &[Value]) -> Vec<&str> {
    let told = of(messages, "notifications/message").into_iter();
    told.map(|params| params["level"].as_str().expect("a level")).collect()
}

fn with_token(token: Value) -> Value {
    json!({ "name": "test_tool_with_progress", "_meta": { "progressToken": token } })
}

fn logging(level: Option<&str>) -> Value {
    let mut params = json!({ "name": "test_logging_tool" });
    if let Some(level) = level {
        params["_meta"]["io.modelcontextprotocol/logLevel"] = json!(level);
    }
    params
}

fn check_progress(messages: &[Value], token: &Value) {
    let told = of(messages, "notifications/progress");
    let expected =
        [0, 50, 100].map(|done| json!({ "progressToken": token, "progress": done, "total": 100 }));
    assert_eq!(told, expected.iter().collect::<Vec<_>>());
}

fn check_error(response: &Response, code: i64) {
    assert_eq!(response.body["error"]["code"], code, "{}", response.text);
}

/// Reads up to the answer to this request.
async fn until_answered(host: &mut Stdio, id: u64) -> Vec<Value> {
    let mut messages = Vec::new();
    loop {
        messages.push(host.receive().await);
        if messages.last().is_some_and(|last| last["id"] == id) {
            return messages;
        }
    }
}

async fn shake_hands(host: &mut Stdio) {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    host.send(&message(Some(&json!(0)), "initialize", &params)).await;
    host.receive().await;
    host.send(&message(None, "notifications/initialized", &json!({}))).await;
}

#[tokio::test]
async fn progress_is_known_by_the_token_of_the_client() {
    let host = Host::start(&["everything"]).await;
    for token in [json!("a token"), json!(7), json!(-1)] {
        let response = host.post_modern("tools/call", with_token(token.clone())).await;
        check_progress(&response.messages, &token);
    }
}

#[tokio::test]
async fn progress_is_told_in_a_session_and_without_one() {
    let host = Host::start(&["everything"]).await;
    let response = host.post_legacy("tools/call", with_token(json!(1))).await;
    check_progress(&response.messages, &json!(1));
    let session = Session::begin(&host).await;
    let response = session.post(&host, json!(1), "tools/call", with_token(json!(2))).await;
    check_progress(&response.messages, &json!(2));
}

#[tokio::test]
async fn progress_is_told_on_stdio() {
    let mut host = Host::builder().programs(&["everything"]).start_stdio();
    shake_hands(&mut host).await;
    host.send(&message(Some(&json!(1)), "tools/call", &with_token(json!("a")))).await;
    check_progress(&until_answered(&mut host, 1).await, &json!("a"));
}

#[tokio::test]
async fn the_answer_comes_after_all_progress_on_stdio() {
    let mut host = Host::builder().programs(&["reports"]).start_stdio();
    shake_hands(&mut host).await;
    for id in 1..=50 {
        let params = json!({ "name": "reports", "arguments": { "steps": 20 },
                             "_meta": { "progressToken": id } });
        host.send(&message(Some(&json!(id)), "tools/call", &params)).await;
        let messages = until_answered(&mut host, id).await;
        assert_eq!(messages.len(), 21, "{messages:?}");
    }
}

#[tokio::test]
async fn without_a_token_there_is_no_progress() {
    let host = Host::start(&["everything"]).await;
    let params = json!({ "name": "test_tool_with_progress" });
    let response = host.post_modern("tools/call", params.clone()).await;
    assert_eq!(response.header("content-type"), Some("application/json"), "{}", response.text);
    let session = Session::begin(&host).await;
    let response = session.post(&host, json!(1), "tools/call", params).await;
    assert_eq!(response.header("content-type"), Some("application/json"), "{}", response.text);
}

#[tokio::test]
async fn progress_that_does_not_grow_is_left_out() {
    let host = Host::start(&["reports"]).await;
    let params = json!({ "name": "reports_in_disorder", "_meta": { "progressToken": 1 } });
    let response = host.post_modern("tools/call", params).await;
    let told = of(&response.messages, "notifications/progress");
    let done: Vec<_> = told.iter().map(|params| &params["progress"]).collect();
    assert_eq!(done, [&json!(1), &json!(2.5), &json!(3)]);
}

#[tokio::test]
async fn a_token_is_a_string_or_an_integer() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    for token in [json!(1.5), json!({}), json!([1]), json!(true)] {
        let params = with_token(token);
        check_error(&host.post_modern("tools/call", params.clone()).await, -32602);
        check_error(&session.post(&host, json!(1), "tools/call", params).await, -32602);
    }
}

#[tokio::test]
async fn a_modern_client_hears_the_log_from_the_level_on_that_it_names() {
    let host = Host::start(&["everything"]).await;
    for (level, heard) in [
        ("debug", &["debug", "debug", "info", "warning", "error"][..]),
        ("info", &["info", "warning", "error"]),
        ("notice", &["warning", "error"]),
        ("warning", &["warning", "error"]),
        ("error", &["error"]),
        ("critical", &[]),
        ("emergency", &[]),
    ] {
        let response = host.post_modern("tools/call", logging(Some(level))).await;
        assert_eq!(response.body["result"]["content"][0]["text"], "logged", "{}", response.text);
        assert_eq!(levels(&response.messages), heard, "{level}");
    }
}

#[tokio::test]
async fn a_line_says_which_tool_wrote_it() {
    let host = Host::start(&["everything"]).await;
    let response = host.post_modern("tools/call", logging(Some("error"))).await;
    let told = of(&response.messages, "notifications/message");
    let expected =
        json!({ "level": "error", "logger": "test_logging_tool", "data": "a line of level error" });
    assert_eq!(told, [&expected]);
}

#[tokio::test]
async fn a_modern_client_that_names_no_level_hears_no_log() {
    let host = Host::start(&["everything"]).await;
    let response = host.post_modern("tools/call", logging(None)).await;
    assert_eq!(response.header("content-type"), Some("application/json"), "{}", response.text);
}

#[tokio::test]
async fn a_session_hears_the_log_once_it_asked_and_from_its_level_on() {
    let host = Host::start(&["everything"]).await;
    let (session, other) = (Session::begin(&host).await, Session::begin(&host).await);
    for (level, heard) in [
        (None, &[][..]),
        (Some("info"), &["info", "warning", "error"]),
        (Some("error"), &["error"]),
        (Some("alert"), &[]),
    ] {
        if let Some(level) = level {
            let set = session.post(&host, json!(1), "logging/setLevel", json!({ "level": level }));
            assert_eq!(set.await.body["result"], json!({}));
        }
        let response = session.post(&host, json!(2), "tools/call", logging(None)).await;
        assert_eq!(levels(&response.messages), heard, "{level:?}");
        let response = other.post(&host, json!(2), "tools/call", logging(None)).await;
        assert!(response.messages.is_empty(), "{}", response.text);
    }
}

#[tokio::test]
async fn a_client_on_stdio_hears_the_log_once_it_asked() {
    let mut host = Host::builder().programs(&["everything"]).start_stdio();
    shake_hands(&mut host).await;
    let call = message(Some(&json!(1)), "tools/call", &logging(None));
    host.send(&call).await;
    assert_eq!(until_answered(&mut host, 1).await.len(), 1);
    let params = json!({ "level": "warning" });
    host.send(&message(Some(&json!(2)), "logging/setLevel", &params)).await;
    host.receive().await;
    host.send(&call).await;
    let messages = until_answered(&mut host, 1).await;
    assert_eq!(levels(&messages), ["warning", "error"]);
}

#[tokio::test]
async fn a_level_that_is_none_is_an_error() {
    let host = Host::start(&["everything"]).await;
    let session = Session::begin(&host).await;
    for level in ["trace", "WARNING", ""] {
        let response = host.post_modern("tools/call", logging(Some(level))).await;
        check_error(&response, -32602);
        let params = json!({ "level": level });
        check_error(&session.post(&host, json!(1), "logging/setLevel", params).await, -32602);
    }
    for params in [json!({}), json!({ "level": 1 }), json!({ "level": null })] {
        check_error(&session.post(&host, json!(1), "logging/setLevel", params).await, -32602);
    }
}

#[tokio::test]
async fn without_a_session_a_level_is_taken_and_counts_for_nothing() {
    let host = Host::start(&["everything"]).await;
    let response = host.post_legacy("logging/setLevel", json!({ "level": "debug" })).await;
    assert_eq!(response.body["result"], json!({}));
    let response = host.post_legacy("tools/call", logging(None)).await;
    assert_eq!(response.header("content-type"), Some("application/json"), "{}", response.text);
}
