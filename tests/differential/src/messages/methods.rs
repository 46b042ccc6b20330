//! Every method, with parameters that fit and with what are none.

use serde_json::{Value, json};

use super::{Era, Message, nothing};

/// The methods of both eras and of none, each with parameters that fit.
fn methods() -> Vec<(&'static str, Value)> {
    let completion = json!({
        "ref": { "type": "ref/prompt", "name": "test_prompt_with_arguments" },
        "argument": { "name": "arg1", "value": "o" },
    });
    let initialize = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "differential", "version": "0" },
    });
    let watched = json!({ "uri": "test://watched-resource" });
    vec![
        ("completion/complete", completion),
        ("initialize", initialize),
        ("logging/setLevel", json!({ "level": "info" })),
        ("ping", nothing()),
        ("prompts/get", json!({ "name": "test_simple_prompt" })),
        ("prompts/list", nothing()),
        ("resources/list", nothing()),
        ("resources/read", json!({ "uri": "test://static-text" })),
        ("resources/subscribe", watched.clone()),
        ("resources/templates/list", nothing()),
        ("resources/unsubscribe", watched),
        ("server/discover", nothing()),
        ("tools/call", json!({ "name": "test_simple_text" })),
        ("tools/list", nothing()),
    ]
}

/// Methods that are asked for once: those of an extension, and what is none.
const OTHERS: &[&str] = &[
    "",
    "TOOLS/LIST",
    "elicitation/create",
    "notifications/initialized",
    "roots/list",
    "rpc.discover",
    "sampling/createMessage",
    "skills/list",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tools",
    "tools/list ",
    "unknown/method",
];

pub(super) fn add(era: Era, all: &mut Vec<Message>) {
    for (method, params) in methods() {
        all.push(Message::request(era, &format!("{method}/valid"), method, params));
        let mut add = |variant: &str, body: Value| {
            all.push(Message::posted(era, &format!("{method}/{variant}"), method, &body));
        };
        add("params-missing", json!({ "jsonrpc": "2.0", "id": 1, "method": method }));
        for (variant, params) in
            [("params-null", Value::Null), ("params-array", json!([])), ("params-text", json!("x"))]
        {
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            add(variant, body);
        }
    }
    for method in OTHERS {
        let params = if method.starts_with("tasks/") {
            json!({ "taskId": "no such task" })
        } else {
            nothing()
        };
        let name = format!("other/{}", if method.is_empty() { "empty" } else { method });
        all.push(Message::request(era, name.trim_end(), method, params));
        if method.ends_with(' ') {
            let last = all.pop().expect("it was added above");
            all.push(last.named("other/trailing-space"));
        }
    }
}
