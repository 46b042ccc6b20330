//! Parameters that a method has no use for: unknown names, wrong types, cursors.

use serde_json::{Value, json};

use super::{Era, Message};

/// What is the matter, and the parameters.
type Variants = Vec<(&'static str, Value)>;

fn call() -> Variants {
    vec![
        ("name-missing", json!({})),
        ("name-null", json!({ "name": null })),
        ("name-number", json!({ "name": 1 })),
        ("name-empty", json!({ "name": "" })),
        ("name-unknown", json!({ "name": "no_such_tool" })),
        ("name-other-case", json!({ "name": "TEST_SIMPLE_TEXT" })),
        ("arguments-null", json!({ "name": "test_simple_text", "arguments": null })),
        ("arguments-array", json!({ "name": "test_simple_text", "arguments": [] })),
        ("arguments-text", json!({ "name": "test_simple_text", "arguments": "x" })),
        ("arguments-empty", json!({ "name": "test_simple_text", "arguments": {} })),
        ("error-of-the-tool", json!({ "name": "test_error_handling", "arguments": {} })),
        ("structured", json!({ "name": "structured", "arguments": { "windy": true } })),
        ("audio", json!({ "name": "test_audio_content", "arguments": {} })),
        ("mixed", json!({ "name": "test_multiple_content_types", "arguments": {} })),
        ("progress-without-token", json!({ "name": "test_tool_with_progress" })),
        ("task-member", json!({ "name": "test_simple_text", "task": { "ttl": 1000 } })),
        ("meta-of-strangers", json!({ "name": "test_simple_text", "_meta": { "a.example/b": 1 } })),
        ("input-responses-unasked", json!({ "name": "test_simple_text", "inputResponses": {} })),
        ("request-state-unasked", json!({ "name": "test_simple_text", "requestState": "x" })),
    ]
}

fn read() -> Variants {
    vec![
        ("uri-missing", json!({})),
        ("uri-null", json!({ "uri": null })),
        ("uri-number", json!({ "uri": 1 })),
        ("uri-empty", json!({ "uri": "" })),
        ("uri-unknown", json!({ "uri": "test://no-such-resource" })),
        ("uri-relative", json!({ "uri": "static-text" })),
        ("uri-of-a-template", json!({ "uri": "test://template/123/data" })),
        ("uri-off-the-template", json!({ "uri": "test://template/123" })),
        ("uri-is-the-template", json!({ "uri": "test://template/{id}/data" })),
        ("binary", json!({ "uri": "test://static-binary" })),
    ]
}

fn get() -> Variants {
    vec![
        ("name-missing", json!({})),
        ("name-number", json!({ "name": 1 })),
        ("name-unknown", json!({ "name": "no_such_prompt" })),
        ("arguments-missing", json!({ "name": "test_prompt_with_arguments" })),
        (
            "argument-missing",
            json!({ "name": "test_prompt_with_arguments", "arguments": { "arg1": "a" } }),
        ),
        (
            "argument-number",
            json!({ "name": "test_prompt_with_arguments", "arguments": { "arg1": 1, "arg2": 2 } }),
        ),
        (
            "arguments-all",
            json!({ "name": "test_prompt_with_arguments",
                "arguments": { "arg1": "a", "arg2": "b" } }),
        ),
        (
            "argument-too-many",
            json!({ "name": "test_simple_prompt", "arguments": { "other": "a" } }),
        ),
        ("arguments-array", json!({ "name": "test_simple_prompt", "arguments": [] })),
    ]
}

fn complete() -> Variants {
    let argument = json!({ "name": "arg1", "value": "" });
    vec![
        ("ref-missing", json!({ "argument": argument })),
        (
            "ref-unknown-type",
            json!({ "ref": { "type": "ref/tool", "name": "x" }, "argument": argument }),
        ),
        (
            "ref-unknown-prompt",
            json!({ "ref": { "type": "ref/prompt", "name": "no_such_prompt" },
                "argument": argument }),
        ),
        (
            "ref-template",
            json!({ "ref": { "type": "ref/resource", "uri": "test://template/{id}/data" },
                "argument": { "name": "id", "value": "1" } }),
        ),
        (
            "argument-missing",
            json!({ "ref": { "type": "ref/prompt", "name": "test_prompt_with_arguments" } }),
        ),
        (
            "value-number",
            json!({ "ref": { "type": "ref/prompt", "name": "test_prompt_with_arguments" },
                "argument": { "name": "arg1", "value": 1 } }),
        ),
    ]
}

fn cursors() -> Variants {
    vec![
        ("cursor-empty", json!({ "cursor": "" })),
        ("cursor-null", json!({ "cursor": null })),
        ("cursor-number", json!({ "cursor": 1 })),
        ("cursor-unknown", json!({ "cursor": "bm93aGVyZQ" })),
        ("unknown-member", json!({ "filter": "x" })),
    ]
}

pub(super) fn add(era: Era, all: &mut Vec<Message>) {
    for (method, variants) in [
        ("completion/complete", complete()),
        ("logging/setLevel", vec![("level-unknown", json!({ "level": "loud" }))]),
        ("prompts/get", get()),
        ("prompts/list", cursors()),
        ("resources/list", cursors()),
        ("resources/read", read()),
        ("resources/templates/list", cursors()),
        ("tools/call", call()),
        ("tools/list", cursors()),
    ] {
        for (variant, params) in variants {
            all.push(Message::request(era, &format!("{method}/{variant}"), method, params));
        }
    }
}
