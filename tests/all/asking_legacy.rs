//! Questions to a client of 2025-11-25 and before, in the middle of its call.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{EventStream, Host, Legacy, Modern, Stdio, answer, askable, request, text};

const ASKS: &[&str] = &["asks"];

/// A client that was asked one question by `asks_for`.
async fn asked<'a>(host: &'a Host, kind: &str) -> (Legacy<'a>, EventStream, Value) {
    let session = Legacy::begin(host, askable()).await;
    let mut events = session.call("asks_for", json!({ "kind": kind })).await;
    let question = events.next_message().await;
    assert!(question["method"].is_string(), "{question}");
    (session, events, question)
}

/// A client that was asked all the questions of `asks_all`, at once.
async fn asked_all(host: &Host) -> (Legacy<'_>, EventStream, Vec<Value>) {
    let session = Legacy::begin(host, askable()).await;
    let mut events = session.call("asks_all", json!({})).await;
    let mut questions = Vec::new();
    for _ in 0..4 {
        questions.push(events.next_message().await);
    }
    (session, events, questions)
}

/// What `asks_for` comes to with one answer to its one question.
async fn answered(kind: &str, outcome: Value) -> Value {
    let host = Host::start(ASKS).await;
    let (session, mut events, question) = asked(&host, kind).await;
    session.answer(&question["id"], outcome).await;
    events.next_message().await
}

fn check_error(response: &Value, message: &str) {
    assert_eq!(
        (&response["result"]["isError"], text(response)),
        (&json!(true), message),
        "{response}"
    );
}

#[tokio::test]
async fn a_question_is_a_request_on_the_stream_of_the_call() {
    let host = Host::start(ASKS).await;
    let (session, mut events, question) = asked(&host, "form").await;
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(events.header("x-accel-buffering"), Some("no"));
    assert!(question["id"].is_string(), "{question}");
    assert_eq!(question["params"]["message"], "Who?");
    assert_eq!(question["params"]["requestedSchema"]["required"], json!(["name"]));
    session.answer(&question["id"], json!({ "result": answer(&question) })).await;
    let response = events.next_message().await;
    assert_eq!(text(&response), r#"accept {"name":"Ada"}"#);
    assert_eq!(response["id"], 1);
    assert!(events.next().await.is_none(), "a stream ends with the answer");
}

#[tokio::test]
async fn a_page_has_an_id_of_its_own() {
    let host = Host::start(ASKS).await;
    let (_, _, question) = asked(&host, "url").await;
    let params = &question["params"];
    assert_eq!(
        (&params["mode"], &params["url"]),
        (&json!("url"), &json!("https://example.com/look"))
    );
    assert!(params["elicitationId"].is_string(), "{question}");
}

#[tokio::test]
async fn several_questions_are_asked_at_once_and_answered_in_any_order() {
    let host = Host::start(ASKS).await;
    let (session, mut events, questions) = asked_all(&host).await;
    for question in questions.iter().rev() {
        session.answer(&question["id"], json!({ "result": answer(question) })).await;
    }
    let response = events.next_message().await;
    let lines: Vec<&str> = text(&response).lines().collect();
    assert_eq!((lines[0], lines[1]), (r#"accept {"name":"Ada"}"#, "accept {}"), "{response}");
}

#[tokio::test]
async fn what_the_person_declines_or_closes_reaches_the_function() {
    for action in ["decline", "cancel"] {
        let response = answered("form", json!({ "result": { "action": action } })).await;
        assert_eq!(text(&response), action);
    }
}

#[tokio::test]
async fn an_error_of_the_person_declines() {
    let error = json!({ "code": -1, "message": "User rejected sampling request" });
    let response = answered("sampling", json!({ "error": error })).await;
    assert_eq!(text(&response), "decline");
}

#[tokio::test]
async fn any_other_error_of_the_client_is_a_tool_error() {
    let error = json!({ "code": -32603, "message": "no model today" });
    let response = answered("sampling", json!({ "error": error })).await;
    check_error(&response, "the client answered with an error: no model today");
    let response = answered("roots", json!({ "error": "odd" })).await;
    check_error(&response, "the client answered with an error");
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_a_tool_error() {
    let response =
        answered("form", json!({ "result": { "action": "accept", "content": { "name": 1 } } }))
            .await;
    check_error(
        &response,
        "the answer to `it` does not fit its schema: /name: expected string, got number",
    );
    for (kind, result) in [
        ("form", json!(null)),
        ("form", json!(7)),
        ("form", json!([])),
        ("form", json!({ "action": "maybe" })),
        ("sampling", json!({})),
        ("roots", json!({ "roots": "none" })),
    ] {
        let response = answered(kind, json!({ "result": result })).await;
        assert!(text(&response).starts_with("the answer to `it` must "), "{response}");
        assert_eq!(response["result"]["isError"], true);
    }
}

#[tokio::test]
async fn answers_with_an_id_of_nobody_or_of_somebody_else_are_ignored() {
    let host = Host::start(ASKS).await;
    let (session, mut events, question) = asked(&host, "form").await;
    let (other, mut of_other, question_of_other) = asked(&host, "form").await;
    let accepted = json!({ "result": answer(&question) });
    for id in [json!("x"), json!(1), json!(""), question_of_other["id"].clone()] {
        session.answer(&id, accepted.clone()).await;
    }
    other.answer(&question["id"], accepted).await;
    session.answer(&question["id"], json!({ "result": { "action": "decline" } })).await;
    assert_eq!(text(&events.next_message().await), "decline");
    other.answer(&question_of_other["id"], json!({ "result": { "action": "cancel" } })).await;
    assert_eq!(text(&of_other.next_message().await), "cancel");
}

#[tokio::test]
async fn the_first_of_two_answers_counts() {
    let host = Host::start(ASKS).await;
    let (session, mut events, questions) = asked_all(&host).await;
    // The call does not end before the other three are answered.
    session.answer(&questions[0]["id"], json!({ "result": { "action": "decline" } })).await;
    session.answer(&questions[0]["id"], json!({ "result": answer(&questions[0]) })).await;
    for question in &questions[1..] {
        session.answer(&question["id"], json!({ "result": answer(question) })).await;
    }
    assert_eq!(text(&events.next_message().await).lines().next(), Some("decline"));
}

#[tokio::test]
async fn a_client_that_declared_no_such_capability_is_told_so() {
    let host = Host::start(ASKS).await;
    for (capabilities, kind, missing) in [
        (json!({}), "form", r#"{"elicitation":{"form":{}}}"#),
        (json!({ "elicitation": {} }), "url", r#"{"elicitation":{"url":{}}}"#),
        (json!({ "sampling": {} }), "tools", r#"{"sampling":{"tools":{}}}"#),
    ] {
        let session = Legacy::begin(&host, capabilities).await;
        let call = json!({ "name": "asks_for", "arguments": { "kind": kind } });
        let response = session.post("tools/call", call).await.body;
        check_error(&response, &format!("Missing required client capability: {missing}"));
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_reached_is_told_so() {
    let host = Host::start(ASKS).await;
    let expected = "the client has to be asked, and cannot be reached (it has no session, or takes no \
                    event stream)";
    let call = json!({ "name": "asks_for", "arguments": { "kind": "form" } });
    let without_session = host.post_legacy("tools/call", call.clone()).await;
    check_error(&without_session.body, expected);
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": askable() });
    let initialized = host.post_legacy("initialize", params).await;
    let session = initialized.header("mcp-session-id").expect("a session");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call });
    let headers = [("MCP-Protocol-Version", "2025-11-25"), ("Mcp-Session-Id", session)];
    let bytes = request(&headers, body.to_string().as_bytes());
    let json_only = String::from_utf8(bytes).expect("text").replace(", text/event-stream", "");
    check_error(&host.raw(json_only.as_bytes()).await.body, expected);
}

#[tokio::test]
async fn prompts_and_resources_ask_as_tools_do() {
    let host = Host::start(ASKS).await;
    let session = Legacy::begin(&host, askable()).await;
    let get = json!({ "name": "ask_about", "arguments": { "place": "Oslo" } });
    let prompt = session.to_the_end("prompts/get", get).await;
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Ada in Oslo", "{prompt}");
    let resource = session.to_the_end("resources/read", json!({ "uri": "asked://Oslo" })).await;
    assert_eq!(resource["result"]["contents"][0]["text"], "Ada in Oslo", "{resource}");
}

#[tokio::test]
async fn nothing_is_written_before_the_last_round() {
    let host = Host::start(ASKS).await;
    let session = Legacy::begin(&host, askable()).await;
    let mut events = session.call("asks_then_writes", json!({ "file": "f" })).await;
    let question = events.next_message().await;
    assert!(!host.blob("asked/f.copy").exists() && !host.blob("asked/f.return").exists());
    session.answer(&question["id"], json!({ "result": answer(&question) })).await;
    assert_eq!(text(&events.next_message().await), "by Ada");
    let read = |name| std::fs::read_to_string(host.blob(name)).expect("a blob");
    assert_eq!((read("asked/f.copy"), read("asked/f.return")), ("f".into(), "by Ada".into()));
}

#[tokio::test]
async fn a_call_that_asks_can_be_cancelled() {
    let host = Host::start(ASKS).await;
    let (session, events, question) = asked(&host, "form").await;
    let body = json!({ "requestId": 1 });
    let notification =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": body });
    session.notify(&notification).await;
    let rest: Vec<_> = events.rest().await.into_iter().filter(|it| !it.data.is_empty()).collect();
    // Nothing is said of the call, but its question need not be answered any more.
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0].message(), cancelled(&question["id"]));
}

#[tokio::test]
async fn questions_that_nobody_waits_for_any_more_are_taken_back() {
    let host = Host::start(ASKS).await;
    let (session, mut events, questions) = asked_all(&host).await;
    session.answer(&questions[0]["id"], json!({ "result": {} })).await;
    for question in &questions[1..] {
        assert_eq!(events.next_message().await, cancelled(&question["id"]));
    }
    let response = events.next_message().await;
    assert!(text(&response).starts_with("the answer to `form` must "), "{response}");
}

fn cancelled(id: &Value) -> Value {
    let params = json!({ "requestId": id });
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
}

/// A client on standard input and output, which has shaken hands.
async fn shaken(programs: &[&str]) -> Stdio {
    let mut host = Host::builder().programs(programs).start_stdio();
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": askable() });
    host.send(&message(0, "initialize", params)).await;
    host.receive().await;
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    host
}

fn message(id: u64, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn result(id: &Value, result: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

/// Makes a request on standard input, answers what is asked, and gives its response.
async fn to_the_end(host: &mut Stdio, method: &str, params: Value) -> Value {
    host.send(&message(1, method, params)).await;
    loop {
        let message = host.receive().await;
        if message["method"].is_null() {
            return message;
        }
        if message["id"].is_string() {
            host.send(&result(&message["id"], answer(&message))).await;
        }
    }
}

#[tokio::test]
async fn on_standard_input_many_calls_are_asked_at_once() {
    let mut host = shaken(ASKS).await;
    let call = json!({ "name": "asks_for", "arguments": { "kind": "form" } });
    let mut questions = Vec::new();
    for id in 1..=20 {
        host.send(&message(id, "tools/call", call.clone())).await;
        questions.push(host.receive().await);
    }
    for (n, question) in questions.iter().enumerate().rev() {
        let content = json!({ "name": n.to_string() });
        let accepted = json!({ "action": "accept", "content": content });
        host.send(&result(&question["id"], accepted)).await;
        let response = host.receive().await;
        assert_eq!(text(&response), format!(r#"accept {{"name":"{n}"}}"#));
    }
}

#[tokio::test]
async fn on_standard_input_a_foreign_answer_is_ignored_and_a_wrong_one_is_a_tool_error() {
    let mut host = shaken(ASKS).await;
    let call = json!({ "name": "asks_for", "arguments": { "kind": "form" } });
    host.send(&message(1, "tools/call", call)).await;
    let question = host.receive().await;
    host.send(&result(&json!("x"), answer(&question))).await;
    host.send(&result(&question["id"], json!([]))).await;
    let response = host.receive().await;
    assert!(text(&response).starts_with("the answer to `it` must "), "{response}");
}

#[tokio::test]
async fn on_standard_input_a_client_that_did_not_introduce_itself_is_not_asked() {
    let mut host = Host::builder().programs(ASKS).start_stdio();
    let call = json!({ "name": "asks_for", "arguments": { "kind": "form" } });
    host.send(&message(1, "tools/call", call)).await;
    let response = host.receive().await;
    assert!(text(&response).starts_with("the client has to be asked"), "{response}");
}

#[tokio::test]
async fn one_function_says_the_same_in_both_eras_and_on_every_transport() {
    let programs = ["asks", "everything"];
    let host = Host::start(&programs).await;
    let (modern, session) = (Modern::new(&host, askable()), Legacy::begin(&host, askable()).await);
    let mut stdio = shaken(&programs).await;
    let call = |name: &str| json!({ "name": name });
    for call in [
        call("asks_all"),
        json!({ "name": "asks_by_one_key", "arguments": { "count": 2 } }),
        call("test_input_required_result_multi_round"),
        call("test_input_required_result_multiple_inputs"),
        call("test_input_required_result_request_state"),
        call("test_input_required_result_list_roots"),
        call("test_input_required_result_capabilities"),
        call("test_elicitation"),
        call("test_elicitation_url"),
        call("test_sampling"),
        call("confirm_delete"),
    ] {
        let in_2026 = modern.to_the_end("tools/call", call.clone()).await;
        let in_2025 = session.to_the_end("tools/call", call.clone()).await;
        let on_stdio = to_the_end(&mut stdio, "tools/call", call.clone()).await;
        assert_ne!(in_2026["result"]["isError"], true, "{in_2026}");
        assert_eq!(text(&in_2025), text(&in_2026), "{call}");
        assert_eq!(on_stdio["result"], in_2025["result"], "{call}");
    }
}

#[tokio::test]
async fn a_question_ends_with_the_input_on_which_its_answer_would_come() {
    let mut host = shaken(ASKS).await;
    let call = json!({ "name": "asks_for", "arguments": { "kind": "form" } });
    host.send(&message(1, "tools/call", call)).await;
    let question = host.receive().await;
    assert_eq!(question["method"], "elicitation/create");
    let begin = Instant::now();
    let (status, rest) = host.close().await;
    assert!(status.success(), "{status}");
    // The host waits half a minute for calls that end by themselves.
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let answer = rest.iter().find(|message| message["id"] == 1).expect("the call is answered");
    assert!(text(answer).contains("nothing more is heard of it"), "{answer}");
}

#[tokio::test]
async fn a_host_that_stops_waits_for_no_answer() {
    let host = Host::start(ASKS).await;
    let (_, mut stream, _) = asked(&host, "form").await;
    let begin = Instant::now();
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let mut last = None;
    while let Some(event) = stream.next().await {
        last = Some(event);
    }
    let last = last.expect("the call is answered");
    assert!(last.data.contains("nothing more is heard of it"), "{}", last.data);
}
