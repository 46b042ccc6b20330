//! Calls in the background that ask, and are answered one question at a time.

use serde_json::{Value, json};

use crate::harness::{EventStream, Host, Modern, answer, askable, patient};

const ASKS: &[&str] = &["asks"];

/// A call in the background, and the stream that tells of it.
struct Task<'a> {
    client: Modern<'a>,
    id: Value,
    events: EventStream,
}

impl<'a> Task<'a> {
    async fn begin(host: &'a Host, capabilities: Value, tool: &str, arguments: Value) -> Self {
        let client = Modern::new(host, capabilities);
        let response = client.call(tool, arguments).await;
        let id = response["result"]["taskId"].clone();
        assert!(id.is_string(), "{response}");
        let filter = json!({ "notifications": { "taskIds": [id] } });
        let mut events = host.open_stream(&client.bytes("subscriptions/listen", filter)).await;
        events.next_message().await;
        Self { client, id, events }
    }

    async fn get(&self) -> Value {
        self.client.post("tasks/get", json!({ "taskId": self.id })).await.body["result"].clone()
    }

    /// Waits until it has this status.
    async fn until(&mut self, status: &str) -> Value {
        self.until_it(|task| task["status"] == status).await
    }

    async fn until_it(&mut self, is_there: impl Fn(&Value) -> bool) -> Value {
        let mut seen = self.get().await;
        while !is_there(&seen) {
            seen = self.events.next_message().await["params"].clone();
        }
        seen
    }

    async fn update(&self, responses: Value) -> Value {
        let params = json!({ "taskId": self.id, "inputResponses": responses });
        self.client.post("tasks/update", params).await.body
    }
}

fn keys(task: &Value) -> Vec<&str> {
    let questions = task["inputRequests"].as_object();
    questions.unwrap_or_else(|| panic!("no questions in {task}")).keys().map(|it| &**it).collect()
}

fn declined() -> Value {
    json!({ "action": "decline" })
}

fn named(name: &str) -> Value {
    json!({ "action": "accept", "content": { "name": name } })
}

#[tokio::test]
async fn the_questions_of_a_task_are_part_of_it_and_it_has_no_state() {
    let host = Host::start(ASKS).await;
    let mut task = Task::begin(&host, patient(), "asks_all", json!({})).await;
    let seen = task.until("input_required").await;
    assert_eq!(keys(&seen), ["form", "url", "sampling", "roots"]);
    assert_eq!(seen["inputRequests"]["roots"], json!({ "method": "roots/list", "params": {} }));
    assert!(seen["requestState"].is_null(), "{seen}");
}

#[tokio::test]
async fn questions_are_answered_one_by_one() {
    let host = Host::start(ASKS).await;
    let mut task = Task::begin(&host, patient(), "asks_all", json!({})).await;
    let asking = task.until("input_required").await;
    task.update(json!({ "url": declined() })).await;
    assert_eq!(keys(&task.get().await), ["form", "sampling", "roots"]);
    // The first answer counts, and what was not asked is ignored.
    task.update(json!({ "url": { "action": "accept" }, "other": {}, "form": named("A") })).await;
    assert_eq!(keys(&task.get().await), ["sampling", "roots"]);
    let rest = ["sampling", "roots"].map(|key| (key, answer(&asking["inputRequests"][key])));
    let response = task.update(json!({ "sampling": rest[0].1, "roots": rest[1].1 })).await;
    assert_eq!(response["result"]["resultType"], "complete", "{response}");
    let end = task.until("completed").await;
    let text = end["result"]["content"][0]["text"].as_str().expect("a text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[1]), (r#"accept {"name":"A"}"#, "decline"), "{end}");
}

#[tokio::test]
async fn a_key_is_new_each_time_in_the_life_of_a_task() {
    let host = Host::start(ASKS).await;
    let mut task = Task::begin(&host, patient(), "asks_by_one_key", json!({ "count": 3 })).await;
    for (key, name) in [("name", "A"), ("name-2", "B"), ("name-3", "C")] {
        let asking = task.until_it(|task| !task["inputRequests"][key].is_null()).await;
        assert_eq!(keys(&asking), [key]);
        // What was answered once is no question any more.
        task.update(json!({ "name-0": declined(), (key): named(name) })).await;
    }
    let end = task.until("completed").await;
    let expected = ["A", "B", "C"].map(|name| format!(r#"accept {{"name":"{name}"}}"#)).join("\n");
    assert_eq!(end["result"]["content"][0]["text"], expected, "{end}");
}

#[tokio::test]
async fn what_is_no_answer_is_refused_and_the_question_stays() {
    let host = Host::start(ASKS).await;
    let mut task = Task::begin(&host, patient(), "asks_for", json!({ "kind": "form" })).await;
    task.until("input_required").await;
    for responses in [
        json!(null),
        json!([]),
        json!(7),
        json!({ "it": null }),
        json!({ "it": 7 }),
        json!({ "it": { "action": "maybe" } }),
        json!({ "it": { "action": "accept", "content": { "name": 1 } } }),
    ] {
        let response = task.update(responses.clone()).await;
        assert_eq!(response["error"]["code"], -32602, "{responses}: {response}");
    }
    let without = task.client.post("tasks/update", json!({ "taskId": task.id })).await.body;
    assert_eq!(without["error"]["code"], -32602, "{without}");
    assert_eq!(task.get().await["status"], "input_required");
    task.update(json!({ "it": declined() })).await;
    assert_eq!(task.until("completed").await["result"]["content"][0]["text"], "decline");
}

#[tokio::test]
async fn a_task_that_asks_can_be_cancelled() {
    let host = Host::start(ASKS).await;
    let mut task = Task::begin(&host, patient(), "asks_for", json!({ "kind": "form" })).await;
    task.until("input_required").await;
    task.client.post("tasks/cancel", json!({ "taskId": task.id })).await;
    let end = task.until("cancelled").await;
    assert!(end["inputRequests"].is_null(), "{end}");
    let late = task.update(json!({ "it": named("A") })).await;
    assert_eq!(late["result"]["resultType"], "complete", "{late}");
    assert_eq!(task.get().await["status"], "cancelled");
}

#[tokio::test]
async fn a_task_that_asks_for_what_was_not_declared_fails() {
    let host = Host::start(ASKS).await;
    let mut capabilities = patient();
    capabilities["elicitation"] = json!({ "form": {} });
    let mut task = Task::begin(&host, capabilities, "asks_for", json!({ "kind": "url" })).await;
    let end = task.until("failed").await;
    assert_eq!(end["error"]["code"], -32021, "{end}");
    assert_eq!(
        end["error"]["data"],
        json!({ "requiredCapabilities": { "elicitation": { "url": {} } } })
    );
}

#[tokio::test]
async fn after_its_answers_a_task_fails_as_any_call() {
    let host = Host::start(ASKS).await;
    for (panic, status) in [(false, "completed"), (true, "failed")] {
        let arguments = json!({ "panic": panic });
        let mut task = Task::begin(&host, patient(), "asks_then_fails", arguments).await;
        task.until("input_required").await;
        task.update(json!({ "roots": { "roots": [] } })).await;
        let end = task.until(status).await;
        assert_eq!(end["result"]["isError"] == true, !panic, "{end}");
        assert_eq!(end["error"].is_object(), panic, "{end}");
    }
}

#[tokio::test]
async fn a_task_writes_nothing_before_its_last_round() {
    let host = Host::start(ASKS).await;
    let arguments = json!({ "file": "f" });
    let mut task = Task::begin(&host, patient(), "asks_then_writes", arguments).await;
    task.until("input_required").await;
    assert!(!host.blob("asked/f.copy").exists() && !host.blob("asked/f.return").exists());
    task.update(json!({ "name": named("Ada") })).await;
    task.until("completed").await;
    let read = |name| std::fs::read_to_string(host.blob(name)).expect("a blob");
    assert_eq!((read("asked/f.copy"), read("asked/f.return")), ("f".into(), "by Ada".into()));
}

#[tokio::test]
async fn any_client_that_answers_may_have_declared_nothing_but_tasks() {
    let host = Host::start(ASKS).await;
    let mut task = Task::begin(&host, patient(), "asks_for", json!({ "kind": "form" })).await;
    task.until("input_required").await;
    let mut poor = askable();
    poor["extensions"] = patient()["extensions"].clone();
    poor["elicitation"] = json!(null);
    let params = json!({ "taskId": task.id, "inputResponses": { "it": declined() } });
    let response = Modern::new(&host, poor).post("tasks/update", params).await.body;
    assert_eq!(response["result"]["resultType"], "complete", "{response}");
    task.until("completed").await;
}
