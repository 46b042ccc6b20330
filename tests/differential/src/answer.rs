//! What an answer comes to: its status, and its code or the shape of its result.

use std::fmt;

use serde_json::Value;

use crate::exchange::Response;

/// An answer as far as two servers have to agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    status: u16,
    content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    /// A JSON-RPC error and its code.
    Error(i64),
    /// A JSON-RPC result and the names of its members, with what `resultType` and `isError` say.
    Result(String),
    /// Nothing.
    Empty,
    /// A stream without a response.
    Stream,
    /// Something else: text, mostly.
    Other,
    /// No HTTP at all.
    None(String),
}

impl Answer {
    /// Of what came back.
    pub(crate) fn of(response: &Response) -> Self {
        let is_stream =
            response.header("content-type").is_some_and(|it| it.contains("event-stream"));
        let text = String::from_utf8_lossy(&response.body);
        let content = if is_stream {
            let mut events = text.lines().filter_map(|line| line.strip_prefix("data:"));
            events.find_map(|event| Content::of(event.trim())).unwrap_or(Content::Stream)
        } else if text.trim().is_empty() {
            Content::Empty
        } else {
            Content::of(&text).unwrap_or(Content::Other)
        };
        Self { status: response.status, content }
    }

    /// Of a server that gave no answer.
    pub(crate) fn none(error: &anyhow::Error) -> Self {
        Self { status: 0, content: Content::None(error.to_string()) }
    }

    /// Whether it is a response of JSON-RPC.
    pub(crate) fn is_reply(&self) -> bool {
        matches!(self.content, Content::Error(_) | Content::Result(_))
    }
}

impl Content {
    /// Of a response; none if the text is something else, as a notification is.
    fn of(text: &str) -> Option<Self> {
        let body: Value = serde_json::from_str(text).ok()?;
        if let Some(code) = body["error"]["code"].as_i64() {
            return Some(Self::Error(code));
        }
        let result = body["result"].as_object()?;
        let mut members: Vec<String> = result
            .iter()
            // Who answers is optional, and in another place for each era; and what is no error need not say so.
            .filter(|(name, value)| *name != "_meta" && !(*name == "isError" && **value == false))
            .map(|(name, value)| match name.as_str() {
                "resultType" | "isError" => format!("{name}={value}"),
                _ => name.clone(),
            })
            .collect();
        members.sort();
        Some(Self::Result(members.join(" ")))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Content::Error(code) => write!(f, "{} error {code}", self.status),
            Content::Result(members) => write!(f, "{} result {{{members}}}", self.status),
            Content::Empty => write!(f, "{} empty", self.status),
            Content::Stream => write!(f, "{} stream", self.status),
            Content::Other => write!(f, "{} text", self.status),
            Content::None(error) => write!(f, "{error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content_type: &str, body: &str, expected: &str) {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        let response = Response { status: 200, headers, body: body.into() };
        assert_eq!(Answer::of(&response).to_string(), expected);
    }

    #[test]
    fn answers_come_to_a_line() {
        check("application/json", r#"{"id":1,"error":{"code":-32602}}"#, "200 error -32602");
        check("text/plain", "no", "200 text");
        check("application/json", "", "200 empty");
        let result = r#"{"id":1,"result":{"tools":[],"resultType":"complete","_meta":{}}}"#;
        check("application/json", result, "200 result {resultType=\"complete\" tools}");
    }

    #[test]
    fn the_response_of_a_stream_is_found_behind_notifications() {
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#;
        let error = r#"{"id":1,"error":{"code":-32601}}"#;
        let stream = format!("id: 1\ndata:\n\ndata: {notification}\n\ndata: {error}\n\n");
        check("text/event-stream", &stream, "200 error -32601");
        check("text/event-stream", ": waiting\n\n", "200 stream");
    }
}
