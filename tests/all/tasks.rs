//! Calls that go on in the background: how they begin, what is seen of them, and how they end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{EventStream, Host, Modern, askable, patient, text};

const PROGRAMS: &[&str] = &["asks", "everything"];

/// What a task begins with.
async fn begun(client: &Modern<'_>, tool: &str, arguments: Value) -> Value {
    let response = client.call(tool, arguments).await;
    assert_eq!(response["result"]["resultType"], "task", "{response}");
    response["result"].clone()
}

fn about(task: &Value) -> Value {
    json!({ "taskId": task["taskId"] })
}

async fn get(client: &Modern<'_>, task: &Value) -> Value {
    client.post("tasks/get", about(task)).await.body["result"].clone()
}

/// Listens to one task.
async fn listen(host: &Host, client: &Modern<'_>, task: &Value) -> EventStream {
    let filter = json!({ "notifications": { "taskIds": [task["taskId"]] } });
    let mut events = host.open_stream(&client.bytes("subscriptions/listen", filter.clone())).await;
    let first = events.next_message().await;
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged", "{first}");
    assert_eq!(first["params"]["notifications"], filter["notifications"]);
    events
}

/// What a task ends with; it is told, and asked once in case it was told before anybody listened.
async fn ended(host: &Host, client: &Modern<'_>, task: &Value) -> Value {
    until(host, client, task, |task| {
        ["completed", "failed", "cancelled"].iter().any(|end| task["status"] == *end)
    })
    .await
}

async fn until(
    host: &Host,
    client: &Modern<'_>,
    task: &Value,
    is_there: impl Fn(&Value) -> bool,
) -> Value {
    let mut events = listen(host, client, task).await;
    let mut seen = get(client, task).await;
    while !is_there(&seen) {
        let message = events.next_message().await;
        assert_eq!(message["method"], "notifications/tasks", "{message}");
        seen = message["params"].clone();
    }
    seen
}

fn check_error(body: &Value, code: i64) {
    assert_eq!(body["error"]["code"], code, "{body}");
}

#[tokio::test]
async fn a_tool_that_may_be_a_task_is_one_for_clients_that_take_tasks() {
    let host = Host::start(PROGRAMS).await;
    let response = Modern::new(&host, askable()).call("slow_compute", json!({})).await;
    assert_eq!(text(&response), "computation: computed for 0 s");
    let client = Modern::new(&host, patient());
    let task = begun(&client, "slow_compute", json!({})).await;
    for name in ["taskId", "createdAt", "lastUpdatedAt"] {
        assert!(task[name].is_string(), "{task}");
    }
    assert!(task["ttlMs"].is_u64() && task["pollIntervalMs"].is_u64(), "{task}");
    assert!(task["_meta"]["io.modelcontextprotocol/serverInfo"].is_object(), "{task}");
    let end = ended(&host, &client, &task).await;
    assert_eq!(end["status"], "completed");
    assert_eq!(end["result"]["content"][0]["text"], "computation: computed for 0 s", "{end}");
    assert_eq!(end["result"]["resultType"], "complete");
}

#[tokio::test]
async fn a_tool_that_is_no_task_is_called_as_ever() {
    let host = Host::start(PROGRAMS).await;
    let response = Modern::new(&host, patient()).call("greet", json!({})).await;
    assert_eq!(text(&response), "Hello, World!");
}

#[tokio::test]
async fn a_tool_that_must_be_a_task_needs_a_client_that_takes_tasks() {
    let host = Host::start(PROGRAMS).await;
    let call = json!({ "name": "failing_job" });
    let response = Modern::new(&host, askable()).post("tools/call", call).await;
    assert_eq!(response.status, 400);
    check_error(&response.body, -32021);
    let required = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    assert_eq!(response.body["error"]["data"]["requiredCapabilities"], required);
}

#[tokio::test]
async fn a_legacy_client_is_told_that_a_tool_must_be_a_task() {
    let host = Host::start(PROGRAMS).await;
    let response = host.post_legacy("tools/call", json!({ "name": "failing_job" })).await;
    assert_eq!(response.body["result"]["isError"], true, "{}", response.text);
    assert!(text(&response.body).contains("the tool runs as a task"), "{}", response.text);
}

#[tokio::test]
async fn the_task_param_of_2025_is_ignored() {
    let host = Host::start(PROGRAMS).await;
    let call = json!({ "name": "slow_compute", "arguments": {}, "task": { "ttl": 1000 } });
    let response = host.post_legacy("tools/call", call).await;
    assert_eq!(text(&response.body), "computation: computed for 0 s");
    for method in ["tasks/get", "tasks/cancel", "tasks/result", "tasks/list"] {
        check_error(&host.post_legacy(method, json!({ "taskId": "x" })).await.body, -32601);
    }
}

#[tokio::test]
async fn a_tool_asks_before_it_becomes_a_task() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let asked = client.call("test_tool_with_task", json!({})).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let responses = json!({ "user_name": { "action": "accept", "content": { "name": "Ada" } } });
    let begun = client.answer("test_tool_with_task", json!({}), &asked, responses.clone()).await;
    assert_eq!(begun["result"]["resultType"], "task", "{begun}");
    let end = ended(&host, &client, &begun["result"]).await;
    assert_eq!(end["result"]["content"][0]["text"], "Hello, Ada! The task is done.", "{end}");
    // Answers that come before the questions are answers, too.
    let early = json!({ "name": "test_tool_with_task", "inputResponses": responses });
    let begun = client.post("tools/call", early).await.body;
    assert_eq!(begun["result"]["resultType"], "task", "{begun}");
    // Of a client that takes no tasks it is an ordinary call.
    let client = Modern::new(&host, askable());
    let end = client.answer("test_tool_with_task", json!({}), &asked, responses).await;
    assert_eq!(text(&end), "Hello, Ada! The task is done.");
}

#[tokio::test]
async fn what_a_tool_says_of_itself_completes_the_task() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let task = begun(&client, "failing_job", json!({})).await;
    let end = ended(&host, &client, &task).await;
    assert_eq!((&end["status"], &end["result"]["isError"]), (&json!("completed"), &json!(true)));
    assert_eq!(end["result"]["content"][0]["text"], "This job intentionally fails");
    assert!(end["error"].is_null(), "{end}");
}

#[tokio::test]
async fn a_guest_that_breaks_down_fails_the_task() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let task = begun(&client, "protocol_error_job", json!({})).await;
    let end = ended(&host, &client, &task).await;
    assert_eq!(
        (&end["status"], &end["error"]["code"]),
        (&json!("failed"), &json!(-32603)),
        "{end}"
    );
    let message = end["error"]["message"].as_str().expect("a message");
    assert!(message.starts_with("the tool failed (invocation "), "{end}");
    assert!(end["result"].is_null(), "{end}");
}

#[tokio::test]
async fn arguments_that_do_not_fit_complete_the_task_as_an_error() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let task = begun(&client, "slow_compute", json!({ "seconds": "long" })).await;
    let end = ended(&host, &client, &task).await;
    assert_eq!((&end["status"], &end["result"]["isError"]), (&json!("completed"), &json!(true)));
}

#[tokio::test]
async fn progress_becomes_the_message_of_the_task() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let task = begun(&client, "tells_and_spins", json!({})).await;
    assert_eq!(task["status"], "working");
    let seen = until(&host, &client, &task, |task| task["statusMessage"].is_string()).await;
    assert_eq!(seen["statusMessage"], "spinning");
    client.post("tasks/cancel", about(&task)).await;
}

#[tokio::test]
async fn cancelling_ends_a_task_and_its_guest_at_once() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let mut fastest = Duration::MAX;
    // The machine may be busy with something else, but not each time.
    for n in 1..=5 {
        let task = begun(&client, "tells_and_spins", json!({})).await;
        until(&host, &client, &task, |task| task["statusMessage"].is_string()).await;
        let cancelled = Instant::now();
        let response = client.post("tasks/cancel", about(&task)).await.body;
        assert_eq!(response["result"]["resultType"], "complete", "{response}");
        host.logged_again("outcome=\"cancelled\"", n).await;
        fastest = fastest.min(cancelled.elapsed());
        assert_eq!(get(&client, &task).await["status"], "cancelled");
    }
    assert!(fastest < Duration::from_millis(100), "{fastest:?}");
}

#[tokio::test]
async fn a_task_that_has_ended_stays_as_it_is() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let task = begun(&client, "slow_compute", json!({})).await;
    let end = ended(&host, &client, &task).await;
    let mut update = about(&task);
    update["inputResponses"] = json!({ "x": { "action": "accept" } });
    for (method, params) in [("tasks/cancel", about(&task)), ("tasks/update", update)] {
        let response = client.post(method, params).await.body;
        assert_eq!(response["result"]["resultType"], "complete", "{response}");
    }
    let seen = get(&client, &task).await;
    assert_eq!((&seen["status"], &seen["result"]), (&end["status"], &end["result"]));
}

#[tokio::test]
async fn an_unknown_task_is_invalid_params() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    for id in [json!("no-such-task"), json!("")] {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            let params = json!({ "taskId": id, "inputResponses": {} });
            let response = client.post(method, params).await;
            check_error(&response.body, -32602);
            assert_eq!(response.body["error"]["message"], "Invalid params: unknown `taskId`");
        }
    }
}

#[tokio::test]
async fn the_id_of_a_task_must_be_a_string() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    for params in [json!({}), json!({ "taskId": null }), json!({ "taskId": 7 })] {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            check_error(&client.post(method, params.clone()).await.body, -32602);
        }
    }
}

#[tokio::test]
async fn the_methods_of_tasks_need_a_client_that_takes_tasks() {
    let host = Host::start(PROGRAMS).await;
    let task = begun(&Modern::new(&host, patient()), "slow_compute", json!({})).await;
    let client = Modern::new(&host, askable());
    let filter = json!({ "notifications": { "taskIds": [task["taskId"]] } });
    for (method, params) in [
        ("tasks/get", about(&task)),
        ("tasks/update", json!({ "taskId": task["taskId"], "inputResponses": {} })),
        ("tasks/cancel", about(&task)),
        ("subscriptions/listen", filter),
    ] {
        let response = client.post(method, params).await;
        assert_eq!(response.status, 400, "{method}: {}", response.text);
        check_error(&response.body, -32021);
    }
}

#[tokio::test]
async fn the_header_must_name_the_task() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let task = begun(&client, "slow_compute", json!({})).await;
    let id = task["taskId"].as_str().expect("an id");
    let request = String::from_utf8(client.bytes("tasks/get", about(&task))).expect("text");
    let header = format!("Mcp-Name: {id}\r\n");
    for (wrong, status, code) in [
        (request.replace(&header, ""), 400, json!(-32020)),
        (request.replace(&header, "Mcp-Name: other\r\n"), 400, json!(-32020)),
        (request.clone(), 200, json!(null)),
    ] {
        let response = host.raw(wrong.as_bytes()).await;
        assert_eq!((response.status, &response.body["error"]["code"]), (status, &code), "{wrong}");
    }
}

#[tokio::test]
async fn a_stream_tells_of_the_tasks_that_it_names_and_of_no_others() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let one = begun(&client, "confirm_delete", json!({})).await;
    let other = begun(&client, "confirm_delete", json!({})).await;
    let asking = |task: &Value| task["status"] == "input_required";
    until(&host, &client, &one, asking).await;
    until(&host, &client, &other, asking).await;
    let mut events = listen(&host, &client, &one).await;
    for task in [&other, &one] {
        client.post("tasks/cancel", about(task)).await;
    }
    let message = events.next_message().await;
    assert_eq!(message["method"], "notifications/tasks");
    let params = &message["params"];
    assert_eq!((&params["taskId"], &params["status"]), (&one["taskId"], &json!("cancelled")));
    assert_eq!(params["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
}

#[tokio::test]
async fn a_hundred_tasks_at_once_all_end() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let mut tasks = Vec::new();
    for n in 0..100 {
        let arguments = json!({ "seconds": 0.1, "label": n.to_string() });
        tasks.push(begun(&client, "slow_compute", arguments).await);
    }
    for (n, task) in tasks.iter().enumerate() {
        let end = ended(&host, &client, task).await;
        let expected = format!("{n}: computed for 0.1 s");
        assert_eq!(end["result"]["content"][0]["text"], expected, "{end}");
    }
}

#[tokio::test]
async fn a_task_is_over_with_its_host() {
    let host = Host::start(PROGRAMS).await;
    let client = Modern::new(&host, patient());
    let task = begun(&client, "tells_and_spins", json!({})).await;
    until(&host, &client, &task, |task| task["statusMessage"].is_string()).await;
    let (status, stopped) = host.stop().await;
    assert!(status.success(), "{status}");
    let host = stopped.start().await;
    check_error(&Modern::new(&host, patient()).post("tasks/get", about(&task)).await.body, -32602);
}

#[tokio::test]
async fn on_standard_input_a_task_is_begun_seen_and_told_of() {
    let mut host = Host::builder().programs(PROGRAMS).start_stdio();
    let request = |id: u64, method: &str, mut params: Value| {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": patient(),
        });
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    host.send(&request(1, "tools/call", json!({ "name": "confirm_delete" }))).await;
    let task = host.receive().await["result"].clone();
    let filter = json!({ "notifications": { "taskIds": [task["taskId"]] } });
    host.send(&request(2, "subscriptions/listen", filter)).await;
    let first = host.receive().await;
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged", "{first}");
    host.send(&request(3, "tasks/cancel", about(&task))).await;
    let mut messages = [host.receive().await, host.receive().await];
    // It may also be told that the task asks.
    while messages.iter().all(|message| message["params"]["status"] != "cancelled") {
        messages[0] = host.receive().await;
    }
    host.send(&request(4, "tasks/get", about(&task))).await;
    let mut reply = host.receive().await;
    while reply["id"] != 4 {
        reply = host.receive().await;
    }
    assert_eq!(reply["result"]["status"], "cancelled", "{reply}");
}
