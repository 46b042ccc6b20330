//! Questions to a client of 2026-07-28, which comes again with the answers.

use serde_json::{Value, json};

use crate::harness::{Host, Modern, askable, text};

const ASKS: &[&str] = &["asks"];

fn keys(response: &Value) -> Vec<&str> {
    let questions = response["result"]["inputRequests"].as_object();
    let questions = questions.unwrap_or_else(|| panic!("no questions in {response}"));
    questions.keys().map(String::as_str).collect()
}

fn check_error(body: &Value, message: &str) {
    assert_eq!(
        (&body["error"]["code"], &body["error"]["message"]),
        (&json!(-32602), &json!(format!("Invalid params: {message}"))),
        "{body}"
    );
}

/// What `asks_for` comes to with one answer to its one question.
async fn answered(host: &Host, kind: &str, response: Value) -> Value {
    let client = Modern::new(host, askable());
    let arguments = json!({ "kind": kind });
    let asked = client.call("asks_for", arguments.clone()).await;
    client.answer("asks_for", arguments, &asked, json!({ "it": response })).await
}

#[tokio::test]
async fn a_question_is_a_result_with_a_state_and_who_asks() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, json!({ "elicitation": {} }));
    let call = json!({ "name": "asks_for", "arguments": { "kind": "form" } });
    let response = client.post("tools/call", call).await;
    let result = &response.body["result"];
    assert_eq!((response.status, &result["resultType"]), (200, &json!("input_required")));
    let schema = json!({
        "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"]
    });
    assert_eq!(
        result["inputRequests"]["it"],
        json!({
            "method": "elicitation/create",
            "params": { "message": "Who?", "requestedSchema": schema },
        })
    );
    assert!(result["requestState"].as_str().is_some_and(|state| !state.is_empty()));
    assert!(result["_meta"]["io.modelcontextprotocol/serverInfo"].is_object());
    assert!(result["content"].is_null(), "{result}");
}

#[tokio::test]
async fn every_kind_of_question_is_asked_as_the_protocol_has_it() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    for (kind, expected) in [
        (
            "url",
            json!({ "method": "elicitation/create", "params": {
                "mode": "url", "message": "Look.", "url": "https://example.com/look" } }),
        ),
        (
            "sampling",
            json!({ "method": "sampling/createMessage",
                    "params": { "messages": [], "maxTokens": 1 } }),
        ),
        ("roots", json!({ "method": "roots/list", "params": {} })),
    ] {
        let asked = client.call("asks_for", json!({ "kind": kind })).await;
        assert_eq!(asked["result"]["inputRequests"]["it"], expected, "{kind}");
    }
}

#[tokio::test]
async fn answers_of_every_kind_reach_the_function_unchanged() {
    let host = Host::start(ASKS).await;
    let sampled = json!({ "role": "assistant", "content": [], "model": "m", "x": 1 });
    let roots = json!({ "roots": [{ "uri": "file:///a", "x": [] }], "_meta": { "y": 1.5 } });
    let content = json!({ "name": "A", "z": 1 });
    let accepted = json!({ "action": "accept", "content": content, "_meta": {} });
    for (kind, response, expected) in [
        ("form", accepted, content),
        ("url", json!({ "action": "accept" }), json!({})),
        ("sampling", sampled.clone(), sampled.clone()),
        ("tools", sampled.clone(), sampled),
        ("roots", roots.clone(), roots),
    ] {
        let response = answered(&host, kind, response).await;
        let told = text(&response).strip_prefix("accept ").expect("it was accepted");
        assert_eq!(serde_json::from_str::<Value>(told).expect("JSON"), expected, "{kind}");
        assert_eq!(response["result"]["resultType"], "complete");
    }
}

#[tokio::test]
async fn what_the_person_declines_or_closes_reaches_the_function() {
    let host = Host::start(ASKS).await;
    for kind in ["form", "url"] {
        for action in ["decline", "cancel"] {
            let response = answered(&host, kind, json!({ "action": action })).await;
            assert_eq!(text(&response), action, "{kind}");
        }
    }
}

#[tokio::test]
async fn several_questions_are_asked_at_once() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_all", json!({})).await;
    assert_eq!(keys(&asked), ["form", "roots", "sampling", "url"]);
    let end = client.to_the_end("tools/call", json!({ "name": "asks_all" })).await;
    assert_eq!(text(&end).lines().count(), 4, "{end}");
}

#[tokio::test]
async fn only_what_was_not_answered_is_asked_again() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_all", json!({})).await;
    let first = json!({ "roots": { "roots": [] }, "url": { "action": "decline" } });
    let rest = client.answer("asks_all", json!({}), &asked, first).await;
    assert_eq!(keys(&rest), ["form", "sampling"]);
    let none = client.answer("asks_all", json!({}), &rest, json!({})).await;
    assert_eq!(keys(&none), ["form", "sampling"]);
    let second = json!({
        "form": { "action": "cancel" },
        "sampling": { "role": "assistant", "content": [], "model": "m" },
        // Answered already: what was answered first counts.
        "url": { "action": "accept" },
    });
    let end = client.answer("asks_all", json!({}), &none, second).await;
    let lines: Vec<&str> = text(&end).lines().collect();
    assert_eq!((lines[0], lines[1], lines[3]), ("cancel", "decline", r#"accept {"roots":[]}"#));
}

#[tokio::test]
async fn rounds_follow_each_other_under_one_key() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let call = json!({ "name": "asks_by_one_key", "arguments": { "count": 3 } });
    let end = client.to_the_end("tools/call", call).await;
    assert_eq!(text(&end), [r#"accept {"name":"Ada"}"#; 3].join("\n"));
}

#[tokio::test]
async fn a_function_that_never_has_enough_is_ended() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let call = json!({ "name": "asks_by_one_key", "arguments": { "count": 1000 } });
    let end = client.to_the_end("tools/call", call).await;
    assert_eq!(end["error"]["code"], -32602, "{end}");
}

#[tokio::test]
async fn prompts_and_resources_ask_as_tools_do() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let get = json!({ "name": "ask_about", "arguments": { "place": "Oslo" } });
    let prompt = client.to_the_end("prompts/get", get).await;
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Ada in Oslo", "{prompt}");
    let read = json!({ "uri": "asked://Oslo" });
    let resource = client.to_the_end("resources/read", read).await;
    assert_eq!(resource["result"]["contents"][0]["text"], "Ada in Oslo", "{resource}");
}

#[tokio::test]
async fn answers_to_what_was_not_asked_are_ignored() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_for", json!({ "kind": "form" })).await;
    let responses = json!({ "it": { "action": "decline" }, "other": { "action": "nonsense" } });
    let end = client.answer("asks_for", json!({ "kind": "form" }), &asked, responses).await;
    assert_eq!(text(&end), "decline");
}

#[tokio::test]
async fn answers_may_come_before_the_questions() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let early = json!({ "it": { "action": "decline" }, "url": { "action": "accept" } });
    let params = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments, "inputResponses": early });
    let all = client.post("tools/call", params("asks_for", json!({ "kind": "form" }))).await;
    assert_eq!(text(&all.body), "decline");
    let some = client.post("tools/call", params("asks_all", json!({}))).await;
    assert_eq!(keys(&some.body), ["form", "roots", "sampling"]);
    let none = client.post("tools/call", params("asks_by_one_key", json!({ "count": 1 }))).await;
    assert_eq!(keys(&none.body), ["name"]);
}

#[tokio::test]
async fn what_has_not_the_form_of_answers_is_invalid_params() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let asked = client.call("asks_for", json!({ "kind": "form" })).await;
    for responses in [
        json!(null),
        json!([]),
        json!(7),
        json!("it"),
        json!({ "it": null }),
        json!({ "it": "accept" }),
        json!({ "it": [] }),
    ] {
        for asked in [&asked, &json!({})] {
            let mut params = json!({
                "name": "asks_for", "arguments": { "kind": "form" }, "inputResponses": responses,
            });
            if let Some(state) = asked["result"].get("requestState") {
                params["requestState"] = state.clone();
            }
            let response = client.post("tools/call", params).await;
            check_error(&response.body, "`inputResponses` must be an object of objects");
        }
    }
}

#[tokio::test]
async fn an_answer_that_does_not_fit_its_question_is_invalid_params() {
    let host = Host::start(ASKS).await;
    let action = "the answer to `it` must have the `action` `accept`, `decline` or `cancel`";
    let sampled = "the answer to `it` must have `role`, `content` and `model`";
    let roots = "the answer to `it` must have `roots`, an array";
    for (kind, response, message) in [
        ("form", json!({ "action": "maybe" }), action),
        ("form", json!({ "content": { "name": "A" } }), action),
        ("form", json!({ "action": 1 }), action),
        ("url", json!({}), action),
        (
            "form",
            json!({ "action": "accept", "content": { "name": 1 } }),
            "the answer to `it` does not fit its schema: /name: expected string, got number",
        ),
        (
            "form",
            json!({ "action": "accept" }),
            "the answer to `it` does not fit its schema: /: `name` is missing",
        ),
        (
            "form",
            json!({ "action": "accept", "content": ["A"] }),
            "the answer to `it` must have an object as `content`",
        ),
        ("sampling", json!({ "role": "assistant" }), sampled),
        ("sampling", json!({ "action": "accept" }), sampled),
        ("roots", json!({ "roots": {} }), roots),
        ("roots", json!({}), roots),
    ] {
        check_error(&answered(&host, kind, response).await, message);
    }
}

#[tokio::test]
async fn a_client_is_not_asked_for_what_it_did_not_declare() {
    let host = Host::start(ASKS).await;
    for (capabilities, kind, required) in [
        (json!({}), "form", json!({ "elicitation": { "form": {} } })),
        (json!({ "elicitation": { "url": {} } }), "form", json!({ "elicitation": { "form": {} } })),
        (json!({ "elicitation": {} }), "url", json!({ "elicitation": { "url": {} } })),
        (json!({ "roots": {} }), "sampling", json!({ "sampling": {} })),
        (json!({ "sampling": {} }), "tools", json!({ "sampling": { "tools": {} } })),
        (json!({ "sampling": {} }), "roots", json!({ "roots": {} })),
    ] {
        let client = Modern::new(&host, capabilities);
        let call = json!({ "name": "asks_for", "arguments": { "kind": kind } });
        let response = client.post("tools/call", call).await;
        let error = &response.body["error"];
        assert_eq!((response.status, &error["code"]), (400, &json!(-32021)), "{}", response.text);
        assert_eq!(error["data"], json!({ "requiredCapabilities": required }), "{kind}");
    }
}

#[tokio::test]
async fn a_capability_must_be_declared_by_each_request() {
    let host = Host::start(ASKS).await;
    let asked = Modern::new(&host, askable()).call("asks_all", json!({})).await;
    let poor = Modern::new(&host, json!({ "roots": {} }));
    let again = poor.answer("asks_all", json!({}), &asked, json!({})).await;
    assert_eq!(again["error"]["code"], -32021, "{again}");
}

#[tokio::test]
async fn nothing_is_written_before_the_last_round() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let arguments = json!({ "file": "f" });
    let asked = client.call("asks_then_writes", arguments.clone()).await;
    assert_eq!(keys(&asked), ["name"]);
    assert!(!host.blob("asked/f.copy").exists() && !host.blob("asked/f.return").exists());
    let responses = json!({ "name": { "action": "accept", "content": { "name": "Ada" } } });
    client.answer("asks_then_writes", arguments, &asked, responses).await;
    let read = |name| std::fs::read_to_string(host.blob(name)).expect("a blob");
    assert_eq!((read("asked/f.copy"), read("asked/f.return")), ("f".into(), "by Ada".into()));
}

#[tokio::test]
async fn a_declined_question_writes_nothing() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let arguments = json!({ "file": "f" });
    let asked = client.call("asks_then_writes", arguments.clone()).await;
    let responses = json!({ "name": { "action": "decline" } });
    let end = client.answer("asks_then_writes", arguments, &asked, responses).await;
    assert_eq!(end["result"]["isError"], true, "{end}");
    assert!(!host.blob("asked/f.copy").exists() && !host.blob("asked/f.return").exists());
}

#[tokio::test]
async fn what_a_function_may_not_ask_is_a_tool_error() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    let response = client.call("asks_too_much", json!({})).await;
    assert_eq!(response["result"]["isError"], true, "{response}");
    assert!(text(&response).contains("longer than 64 KiB"), "{response}");
}

#[tokio::test]
async fn a_form_that_no_answer_fits_is_a_tool_error() {
    let host = Host::start(ASKS).await;
    let client = Modern::new(&host, askable());
    for (schema, reason) in [("broken", "no such type"), ("reference", "`it` has a reference")] {
        let response = client.call("asks_badly", json!({ "schema": schema })).await;
        assert_eq!(response["result"]["isError"], true, "{response}");
        let text = text(&response);
        assert!(text.starts_with("the tool asked with a form whose schema cannot be used: `it` "));
        assert!(text.contains(reason), "{text}");
    }
}
