//! The state that a client of 2026-07-28 carries from a question to its answers: for one request, and nobody's to read.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use crate::harness::{Host, Modern, askable, text};

const ASKS: &[&str] = &["asks"];

const FOREIGN: &str =
    "Invalid params: `requestState` is not what this server gave for this request";

fn declined() -> Value {
    json!({ "it": { "action": "decline" } })
}

fn form(text: &str) -> Value {
    json!({ "kind": "form", "text": text })
}

fn check_foreign(body: &Value) {
    assert_eq!(
        (&body["error"]["code"], &body["error"]["message"]),
        (&json!(-32602), &json!(FOREIGN)),
        "{body}"
    );
}

#[tokio::test]
async fn a_state_that_was_changed_is_refused() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_for", form("a")).await;
    let state = asked["result"]["requestState"].as_str().expect("a state");
    let flipped = {
        let mut bytes = URL_SAFE_NO_PAD.decode(state).expect("base64");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        URL_SAFE_NO_PAD.encode(bytes)
    };
    for changed in
        ["", "x", "{}", &state[1..], &state[..state.len() - 1], &format!("{state}A"), &flipped]
    {
        let forged = json!({ "result": { "requestState": changed } });
        check_foreign(&client.answer("asks_for", form("a"), &forged, declined()).await);
    }
}

#[tokio::test]
async fn a_state_that_is_no_text_is_refused() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    for state in [json!(7), json!({}), json!(["x"]), json!(true)] {
        let forged = json!({ "result": { "requestState": state } });
        let response = client.answer("asks_for", form("a"), &forged, declined()).await;
        assert_eq!(response["error"]["code"], -32602, "{response}");
    }
}

#[tokio::test]
async fn a_state_is_for_the_arguments_that_asked() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_for", form("a")).await;
    for other in [form("b"), json!({ "kind": "form" }), json!({ "kind": "url", "text": "a" })] {
        check_foreign(&client.answer("asks_for", other, &asked, declined()).await);
    }
}

#[tokio::test]
async fn a_state_is_for_the_tool_that_asked() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_all", json!({})).await;
    check_foreign(&client.answer("asks_too_much", json!({}), &asked, declined()).await);
}

#[tokio::test]
async fn a_state_is_for_the_method_that_asked() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let arguments = json!({ "place": "Oslo" });
    let get = json!({ "name": "ask_about", "arguments": arguments });
    let asked = client.post("prompts/get", get).await.body;
    let state = &asked["result"]["requestState"];
    assert!(state.is_string(), "{asked}");
    let read = json!({ "uri": "asked://Oslo", "requestState": state });
    check_foreign(&client.post("resources/read", read).await.body);
}

#[tokio::test]
async fn the_same_arguments_in_another_order_are_the_same() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_for", json!({ "kind": "form", "text": "a" })).await;
    let reordered = json!({ "text": "a", "kind": "form" });
    let response = client.answer("asks_for", reordered, &asked, declined()).await;
    assert_eq!(text(&response), "decline");
}

#[tokio::test]
async fn a_host_that_was_started_again_reads_the_state_of_the_one_before() {
    let host = Host::start(ASKS).await;
    let asked = Modern::new(&host, askable()).call("asks_for", form("a")).await;
    let (status, stopped) = host.stop().await;
    assert!(status.success(), "{status}");
    let host = stopped.start().await;
    let client = Modern::new(&host, askable());
    let response = client.answer("asks_for", form("a"), &asked, declined()).await;
    assert_eq!(text(&response), "decline");
}

#[tokio::test]
async fn a_state_can_be_brought_twice() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_for", form("a")).await;
    for _ in 0..2 {
        let response = client.answer("asks_for", form("a"), &asked, declined()).await;
        assert_eq!(text(&response), "decline");
    }
}

#[tokio::test]
async fn nothing_of_a_question_or_an_answer_can_be_read_in_a_state() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_all", json!({})).await;
    let secret = json!({ "form": { "action": "accept", "content": { "name": "a secret" } } });
    let rest = client.answer("asks_all", json!({}), &asked, secret).await;
    let state = rest["result"]["requestState"].as_str().expect("a state");
    let bytes = URL_SAFE_NO_PAD.decode(state).expect("base64");
    for part in ["a secret", "example.com"] {
        assert!(!bytes.windows(part.len()).any(|window| window == part.as_bytes()), "{part}");
    }
}
