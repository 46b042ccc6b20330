//! What 2026-07-28 adds to a call: questions and their answers, tasks, subscriptions.

use serde_json::{Value, json};

use super::{Era, Message};

const TASKS: &str = "io.modelcontextprotocol/tasks";

pub(super) fn add(all: &mut Vec<Message>) {
    answers(all);
    capabilities(all);
    tasks(all);
    subscriptions(all);
}

/// A request of a client that can do what is said.
fn request(name: &str, method: &str, mut params: Value, capabilities: Value) -> Message {
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    Message::request(Era::Modern, name, method, params)
}

fn answers(all: &mut Vec<Message>) {
    let accepted = json!({ "action": "accept", "content": { "name": "Ferris" } });
    for (variant, tool, members) in [
        ("none", "elicitation", json!({})),
        ("empty", "elicitation", json!({ "inputResponses": {} })),
        ("good", "elicitation", json!({ "inputResponses": { "user_name": accepted } })),
        (
            "another-key",
            "elicitation",
            json!({ "inputResponses": { "user_name": accepted, "other": accepted } }),
        ),
        ("wrong-key", "elicitation", json!({ "inputResponses": { "other": accepted } })),
        ("null", "elicitation", json!({ "inputResponses": null })),
        ("array", "elicitation", json!({ "inputResponses": [] })),
        ("text", "elicitation", json!({ "inputResponses": "x" })),
        ("of-text", "elicitation", json!({ "inputResponses": { "user_name": "x" } })),
        ("state-none", "request_state", json!({})),
        (
            "state-wrong",
            "tampered_state",
            json!({ "inputResponses": { "confirm": accepted }, "requestState": "forged" }),
        ),
        (
            "state-number",
            "request_state",
            json!({ "inputResponses": { "confirm": accepted }, "requestState": 1 }),
        ),
    ] {
        let mut params = members;
        params["name"] = json!(format!("test_input_required_result_{tool}"));
        let name = format!("questions/{variant}");
        all.push(request(&name, "tools/call", params, json!({ "elicitation": {} })));
    }
    let params = json!({ "name": "test_input_required_result_prompt" });
    let can = json!({ "elicitation": {} });
    all.push(request("questions/of-a-prompt", "prompts/get", params, can));
}

/// Tools that need what the client may not have.
fn capabilities(all: &mut Vec<Message>) {
    for (variant, tool, can) in [
        ("sampling-missing", "test_missing_capability", json!({})),
        ("sampling-there", "test_missing_capability", json!({ "sampling": {} })),
        ("sampling-only", "test_input_required_result_capabilities", json!({ "sampling": {} })),
        ("sampling", "test_input_required_result_sampling", json!({ "sampling": {} })),
        ("roots", "test_input_required_result_list_roots", json!({ "roots": {} })),
        ("task-missing", "failing_job", json!({})),
    ] {
        let name = format!("capabilities/{variant}");
        all.push(request(&name, "tools/call", json!({ "name": tool }), can));
    }
}

fn tasks(all: &mut Vec<Message>) {
    let can = || json!({ "extensions": { TASKS: {} } });
    let call = |seconds: f64| json!({ "name": "slow_compute", "arguments": { "seconds": seconds, "label": "x" } });
    all.push(request("tasks/made", "tools/call", call(0.0), can()));
    all.push(request("tasks/not-asked-for", "tools/call", call(0.0), json!({})));
    let sync = json!({ "name": "greet", "arguments": { "name": "Ferris" } });
    all.push(request("tasks/not-needed", "tools/call", sync, can()));
    for (variant, method, params) in [
        ("get-unknown", "tasks/get", json!({ "taskId": "no such task" })),
        ("get-number", "tasks/get", json!({ "taskId": 1 })),
        ("get-nothing", "tasks/get", json!({})),
        ("cancel-unknown", "tasks/cancel", json!({ "taskId": "no such task" })),
        (
            "update-unknown",
            "tasks/update",
            json!({ "taskId": "no such task", "inputResponses": {} }),
        ),
        ("update-nothing", "tasks/update", json!({})),
        ("list", "tasks/list", json!({})),
        ("result", "tasks/result", json!({ "taskId": "no such task" })),
    ] {
        all.push(request(&format!("tasks/{variant}"), method, params, can()));
    }
    let params = json!({ "taskId": "no such task" });
    let message = request("tasks/name-missing", "tasks/get", params.clone(), can());
    all.push(message.without("Mcp-Name"));
    let message = request("tasks/name-other", "tasks/get", params, can());
    all.push(message.header("Mcp-Name", "another task"));
}

fn subscriptions(all: &mut Vec<Message>) {
    for (variant, params) in [
        ("tools", json!({ "notifications": { "toolsListChanged": true } })),
        ("nothing", json!({ "notifications": {} })),
        ("missing", json!({})),
        ("array", json!({ "notifications": [] })),
        ("unknown-member", json!({ "notifications": { "weatherChanged": true } })),
        ("not-a-bool", json!({ "notifications": { "toolsListChanged": "yes" } })),
    ] {
        let name = format!("subscriptions/{variant}");
        all.push(request(&name, "subscriptions/listen", params, json!({})));
    }
}
