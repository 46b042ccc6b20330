//! What is asked, and what must be answered.

use std::{borrow::Cow, fmt::Write as _};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::connection::Response;

/// A kind of request of which any number can be sent.
pub trait Exchange {
    /// Writes the request of a number; no two requests of a run have the same.
    fn write(&self, number: u64, request: &mut Vec<u8>);

    /// Whether the answer is the right one, or what is wrong with it.
    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String>;
}

/// Calls of tools that answer with an argument that is another one each time.
#[derive(Debug)]
pub struct Calls {
    tools: Vec<String>,
}

impl Calls {
    /// Calls these tools in turn.
    pub fn new(tools: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { tools: tools.into_iter().map(Into::into).collect() }
    }

    /// The text that a call of this number sends.
    pub fn text(number: u64) -> String {
        format!("text {number:012}")
    }
}

impl Exchange for Calls {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        let n_tools = self.tools.len() as u64;
        let tool = &self.tools[usize::try_from(number % n_tools).unwrap_or_default()];
        let params =
            format!(r#"{{"name":"{tool}","arguments":{{"text":"{}"}}}}"#, Self::text(number));
        write_request(number, "tools/call", &params, request);
    }

    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String> {
        let answer = Answer::read(number, response)?;
        let expected = Self::text(number);
        if answer.is_error || !answer.text.ends_with(&expected) {
            return Err(format!("expected `{expected}`, got `{}`", answer.text));
        }
        Ok(())
    }
}

/// Calls of a tool without arguments that must fail in one way.
#[derive(Debug)]
pub struct Failing {
    /// The tool.
    pub tool: &'static str,
    /// How its error may begin.
    pub errors: &'static [&'static str],
}

impl Exchange for Failing {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        let params = format!(r#"{{"name":"{}","arguments":{{}}}}"#, self.tool);
        write_request(number, "tools/call", &params, request);
    }

    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String> {
        let answer = Answer::read(number, response)?;
        let is_expected = self.errors.iter().any(|error| answer.text.starts_with(error));
        if !answer.is_error || !is_expected {
            return Err(format!("expected one of {:?}, got `{}`", self.errors, answer.text));
        }
        Ok(())
    }
}

/// Requests for the list of tools.
#[derive(Debug)]
pub struct Lists {
    /// How many tools there are.
    pub n_tools: usize,
}

impl Exchange for Lists {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        write_request(number, "tools/list", "{}", request);
    }

    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String> {
        #[derive(Deserialize)]
        struct List<'a> {
            #[serde(borrow)]
            tools: Vec<&'a RawValue>,
        }
        let list: List<'_> = parse_result(number, response)?;
        if list.tools.len() != self.n_tools {
            return Err(format!("expected {} tools, got {}", self.n_tools, list.tools.len()));
        }
        Ok(())
    }
}

/// The result of a tool call.
#[derive(Debug)]
pub struct Answer<'a> {
    /// The first block of content, which is text.
    pub text: Cow<'a, str>,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl<'a> Answer<'a> {
    /// Reads the answer to the request of this number.
    pub fn read(number: u64, response: &Response<'a>) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct ToolResult<'a> {
            #[serde(borrow)]
            content: Vec<Block<'a>>,
            #[serde(default)]
            is_error: Option<bool>,
        }
        #[derive(Deserialize)]
        struct Block<'a> {
            #[serde(borrow)]
            text: Cow<'a, str>,
        }
        let result: ToolResult<'a> = parse_result(number, response)?;
        let block = result.content.into_iter().next().ok_or("no content")?;
        Ok(Self { text: block.text, is_error: result.is_error.unwrap_or_default() })
    }
}

/// Writes a request in the form of 2025-11-25, with its number as its id.
pub fn write_request(number: u64, method: &str, params: &str, request: &mut Vec<u8>) {
    let mut body = String::with_capacity(256);
    write!(body, r#"{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{params}}}"#)
        .expect("a string takes every write");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    request.clear();
    request.extend_from_slice(head.as_bytes());
    request.extend_from_slice(body.as_bytes());
}

fn parse_result<'a, T: Deserialize<'a>>(number: u64, response: &Response<'a>) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Message<T> {
        id: u64,
        result: T,
    }
    let body = || String::from_utf8_lossy(&response.body[..response.body.len().min(500)]);
    if response.status != 200 {
        return Err(format!("status {}: {}", response.status, body()));
    }
    let message: Message<T> =
        serde_json::from_slice(response.body).map_err(|error| format!("{error} in {}", body()))?;
    if message.id != number {
        return Err(format!("the answer to {} came for {number}", message.id));
    }
    Ok(message.result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str) -> Result<(), String> {
        Calls::new(["t"]).check(7, &Response { status: 200, body: body.as_bytes() })
    }

    #[test]
    fn only_the_answer_to_the_request_is_right() {
        let body = |id, text| {
            format!(
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
            )
        };
        assert_eq!(check(&body(7, "v1 text 000000000007")), Ok(()));
        assert!(check(&body(8, "text 000000000007")).is_err());
        assert!(check(&body(7, "text 000000000008")).is_err());
        assert!(check(r#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}"#).is_err());
    }
}
