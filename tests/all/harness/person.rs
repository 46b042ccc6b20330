//! Clients that can be asked, and a person at them who answers everything.

use serde_json::{Map, Value, json};

use super::{
    events::EventStream,
    http::Response,
    process::{Host, modern, request},
};

/// The capabilities of a client that answers everything.
pub(crate) fn askable() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} })
}

/// The same, of one that takes tasks, too.
pub(crate) fn patient() -> Value {
    let mut capabilities = askable();
    capabilities["extensions"] = json!({ "io.modelcontextprotocol/tasks": {} });
    capabilities
}

/// What the person answers to a question.
pub(crate) fn answer(question: &Value) -> Value {
    match question["method"].as_str() {
        Some("elicitation/create") if question["params"]["mode"] == "url" => {
            json!({ "action": "accept" })
        }
        Some("elicitation/create") => {
            let properties = question["params"]["requestedSchema"]["properties"].as_object();
            let content: Map<String, Value> = properties
                .expect("a form has fields")
                .iter()
                .map(|(name, field)| {
                    let is_flag = field["type"] == "boolean";
                    (name.clone(), if is_flag { json!(true) } else { json!("Ada") })
                })
                .collect();
            json!({ "action": "accept", "content": content })
        }
        Some("sampling/createMessage") => json!({
            "role": "assistant", "content": { "type": "text", "text": "Hi" }, "model": "m"
        }),
        Some("roots/list") => json!({ "roots": [{ "uri": "file:///a" }] }),
        other => panic!("not a question: {other:?} in {question}"),
    }
}

/// The text of the first block of a result.
pub(crate) fn text(response: &Value) -> &str {
    let text = response["result"]["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text in {response}"))
}

/// A client of 2026-07-28.
pub(crate) struct Modern<'a> {
    host: &'a Host,
    capabilities: Value,
}

impl<'a> Modern<'a> {
    /// One with these capabilities.
    pub(crate) fn new(host: &'a Host, capabilities: Value) -> Self {
        Self { host, capabilities }
    }

    /// The bytes of a request.
    pub(crate) fn bytes(&self, method: &str, mut params: Value) -> Vec<u8> {
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        modern(method, params)
    }

    /// Makes a request.
    pub(crate) async fn post(&self, method: &str, params: Value) -> Response {
        self.host.raw(&self.bytes(method, params)).await
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.post("tools/call", json!({ "name": tool, "arguments": arguments })).await.body
    }

    /// Calls a tool again, with answers to what it asked.
    pub(crate) async fn answer(
        &self,
        tool: &str,
        arguments: Value,
        asked: &Value,
        responses: Value,
    ) -> Value {
        let params = json!({
            "name": tool,
            "arguments": arguments,
            "requestState": asked["result"]["requestState"],
            "inputResponses": responses,
        });
        self.post("tools/call", params).await.body
    }

    /// Makes a request for as long as there are questions.
    pub(crate) async fn to_the_end(&self, method: &str, mut params: Value) -> Value {
        loop {
            let response = self.post(method, params.clone()).await.body;
            let result = &response["result"];
            if result["resultType"] != "input_required" {
                return response;
            }
            let questions = result["inputRequests"].as_object().expect("questions");
            let answers = questions.iter().map(|(key, question)| (key.clone(), answer(question)));
            params["inputResponses"] = Value::Object(answers.collect());
            params["requestState"] = result["requestState"].clone();
        }
    }
}

/// A client of 2025-11-25 with a session.
pub(crate) struct Legacy<'a> {
    host: &'a Host,
    id: String,
}

impl<'a> Legacy<'a> {
    /// Shakes hands.
    pub(crate) async fn begin(host: &'a Host, capabilities: Value) -> Self {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities });
        let response = host.post_legacy("initialize", params).await;
        let id = response.header("mcp-session-id").expect("a session").to_owned();
        Self { host, id }
    }

    fn bytes(&self, message: &Value) -> Vec<u8> {
        let headers = [("MCP-Protocol-Version", "2025-11-25"), ("Mcp-Session-Id", &self.id)];
        request(&headers, message.to_string().as_bytes())
    }

    /// Makes a request.
    pub(crate) async fn post(&self, method: &str, params: Value) -> Response {
        self.host.raw(&self.bytes(&message(method, params))).await
    }

    /// Makes a request, and reads the stream that answers it.
    pub(crate) async fn stream(&self, method: &str, params: Value) -> EventStream {
        self.host.open_stream(&self.bytes(&message(method, params))).await
    }

    /// Calls a tool that asks.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> EventStream {
        self.stream("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Answers the question with this id, on a connection of its own: `outcome` has a `result` or an `error`.
    pub(crate) async fn answer(&self, id: &Value, mut outcome: Value) {
        outcome["jsonrpc"] = json!("2.0");
        outcome["id"] = id.clone();
        self.notify(&outcome).await;
    }

    /// Sends a message that is not answered.
    pub(crate) async fn notify(&self, message: &Value) {
        let response = self.host.raw(&self.bytes(message)).await;
        assert_eq!((response.status, response.text.as_str()), (202, ""));
    }

    /// Makes a request and answers what is asked; gives its response.
    pub(crate) async fn to_the_end(&self, method: &str, params: Value) -> Value {
        let mut events = self.stream(method, params).await;
        loop {
            let message = events.next_message().await;
            if message["method"].is_null() {
                assert!(events.next().await.is_none(), "a stream ends with the answer");
                return message;
            }
            if message["id"].is_string() {
                self.answer(&message["id"], json!({ "result": answer(&message) })).await;
            }
        }
    }
}

fn message(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}
