//! The messages that both servers get: good ones and bad ones, in both eras, with stable names.

mod envelope;
mod headers;
mod methods;
mod parameters;
mod questions;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// The form of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// 2026-07-28: each request says everything about itself.
    Modern,
    /// 2025-11-25: within a session, where the server makes one.
    Legacy,
}

impl Era {
    const BOTH: [Self; 2] = [Self::Modern, Self::Legacy];

    fn name(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Legacy => "legacy",
        }
    }

    fn version(self) -> &'static str {
        match self {
            Self::Modern => "2026-07-28",
            Self::Legacy => "2025-11-25",
        }
    }
}

/// One HTTP request.
#[derive(Clone, Debug)]
pub struct Message {
    /// `ERA/SUBJECT/VARIANT`; the table of differences refers to it.
    pub name: String,
    /// Whether a session is opened for it, by its era.
    pub era: Era,
    /// The HTTP method.
    pub verb: &'static str,
    /// The headers, save for those of the connection.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Message {
    /// A request of MCP with all that its era asks for.
    fn request(era: Era, name: &str, method: &str, params: Value) -> Self {
        let params = with_meta(era, params);
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        Self::posted(era, name, method, &body)
    }

    /// A body as it is, with the headers that fit to it.
    fn posted(era: Era, name: &str, method: &str, body: &Value) -> Self {
        let mut message = Self::raw(era, name, method, body.to_string());
        let params = &body["params"];
        let named = ["name", "uri", "taskId"].iter().find_map(|member| params[member].as_str());
        if let (Era::Modern, Some(named)) = (era, named) {
            message = message.header("Mcp-Name", named);
        }
        message
    }

    /// A body that may be anything, sent as if it had a method.
    fn raw(era: Era, name: &str, method: &str, body: impl Into<Vec<u8>>) -> Self {
        let message = Self {
            name: format!("{}/{name}", era.name()),
            era,
            verb: "POST",
            headers: Vec::new(),
            body: body.into(),
        };
        let message = message
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", era.version());
        if era == Era::Modern { message.header("Mcp-Method", method) } else { message }
    }

    /// Sets a header.
    fn header(self, name: &str, value: &str) -> Self {
        let mut message = self.without(name);
        message.headers.push((name.to_owned(), value.to_owned()));
        message
    }

    /// Leaves a header out.
    fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// The same under another name.
    fn named(mut self, name: &str) -> Self {
        self.name = format!("{}/{name}", self.era.name());
        self
    }

    /// The value of a header.
    pub fn header_value(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// The parameters with what 2026-07-28 wants in each request; those of another type are left alone.
fn with_meta(era: Era, mut params: Value) -> Value {
    if era == Era::Modern && params.is_object() {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(era.version());
        let capabilities = &mut params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        if capabilities.is_null() {
            *capabilities = nothing();
        }
    }
    params
}

/// An object without members.
fn nothing() -> Value {
    Value::Object(Map::new())
}

/// All messages, in the order in which they are sent.
pub fn all() -> Vec<Message> {
    let mut all = Vec::new();
    for era in Era::BOTH {
        methods::add(era, &mut all);
        parameters::add(era, &mut all);
        envelope::add(era, &mut all);
        headers::add(era, &mut all);
    }
    questions::add(&mut all);
    let names: BTreeSet<&str> = all.iter().map(|message| message.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "two messages have the same name");
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_hundreds_of_messages_of_either_era() {
        let all = all();
        for era in Era::BOTH {
            let n_messages = all.iter().filter(|message| message.era == era).count();
            assert!(n_messages >= 150, "{era:?} has {n_messages}");
        }
    }

    #[test]
    fn a_modern_request_says_everything_about_itself() {
        let message = Message::request(Era::Modern, "x", "tools/call", json!({ "name": "greet" }));
        assert_eq!(message.header_value("mcp-method"), Some("tools/call"));
        assert_eq!(message.header_value("mcp-name"), Some("greet"));
        let body: Value = serde_json::from_slice(&message.body).unwrap();
        let meta = &body["params"]["_meta"];
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    }
}
