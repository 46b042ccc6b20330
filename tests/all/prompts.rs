//! Prompts: the list, arguments, storage behind them, and their failures.

use serde_json::{Value, json};

use crate::harness::Host;

async fn with_a_note() -> Host {
    let host = Host::start(&["shared_notes"]).await;
    host.call("keep_note", json!({ "folder": "home", "title": "a", "text": "milk" })).await;
    host
}

fn check_error(body: &Value, code: i64, message: &str) {
    assert_eq!(
        (&body["error"]["code"], &body["error"]["message"]),
        (&json!(code), &json!(message))
    );
}

#[tokio::test]
async fn a_prompt_is_listed_with_its_arguments() {
    let host = Host::start(&["shared_notes"]).await;
    let response = host.post_legacy("prompts/list", json!({})).await;
    let prompts = json!({ "prompts": [{
        "name": "summarize",
        "title": "Summary",
        "description": "Summarizes a note.",
        "arguments": [
            { "name": "folder", "description": "The folder of the note.", "required": true },
            { "name": "title", "description": "The note.", "required": true },
            { "name": "language", "description": "In which language.", "required": false },
        ],
    }] });
    assert_eq!(response.body["result"], prompts);
}

#[tokio::test]
async fn without_any_prompt_or_resource_the_lists_are_empty_and_may_change() {
    let host = Host::start(&["echo"]).await;
    for (method, member) in [
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ] {
        let response = host.post_legacy(method, json!({})).await;
        assert_eq!(response.body["result"], json!({ member: [] }));
    }
    let discovered = host.post_modern("server/discover", json!({})).await;
    let capabilities = &discovered.body["result"]["capabilities"];
    for kind in ["prompts", "resources"] {
        assert_eq!(capabilities[kind]["listChanged"], true, "{capabilities}");
    }
}

#[tokio::test]
async fn a_prompt_reads_the_blob_that_its_arguments_name() {
    let host = with_a_note().await;
    let get = json!({ "name": "summarize", "arguments": { "folder": "home", "title": "a" } });
    let messages = json!([
        { "role": "user", "content": { "type": "text", "text": "Summarize in English:" } },
        { "role": "user", "content": { "type": "text", "text": "milk" } },
    ]);
    let modern = host.post_modern("prompts/get", get.clone()).await;
    assert_eq!(modern.body["result"]["messages"], messages, "{}", modern.text);
    assert_eq!(modern.body["result"]["description"], "Summarizes a note.");
    let legacy = host.post_legacy("prompts/get", get).await;
    assert_eq!(
        legacy.body["result"],
        json!({ "description": "Summarizes a note.", "messages": messages })
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_invalid_params() {
    let host = Host::start(&["shared_notes"]).await;
    let unknown = host.post_modern("prompts/get", json!({ "name": "other" })).await;
    check_error(&unknown.body, -32602, "Unknown prompt: 'other'");
    let missing = host.post_modern("prompts/get", json!({ "name": "summarize" })).await;
    check_error(
        &missing.body,
        -32602,
        "One or more required prompt arguments are missing values. Please provide: folder, title",
    );
    let wrong = json!({ "name": "summarize", "arguments": { "folder": 7, "title": "a" } });
    let wrong = host.post_modern("prompts/get", wrong).await;
    check_error(&wrong.body, -32602, "/folder: expected string, got number");
    let hostile = json!({ "name": "summarize", "arguments": { "folder": "..", "title": "a" } });
    let hostile = host.post_modern("prompts/get", hostile).await;
    assert_eq!(hostile.body["error"]["code"], -32602, "{}", hostile.text);
}

#[tokio::test]
async fn a_failure_of_the_function_is_an_error_in_its_words() {
    let host = Host::start(&["shared_notes"]).await;
    let get = json!({ "name": "summarize", "arguments": { "folder": "home", "title": "b" } });
    let response = host.post_modern("prompts/get", get).await;
    check_error(&response.body, -32603, "there is no note home/b");
}
