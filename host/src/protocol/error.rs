//! Every JSON-RPC error: its code, its message, its data and the status it goes with. The only place with codes.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use thiserror::Error;

use super::{
    Reply, Status,
    revision::{Era, SUPPORTED},
};
use crate::{function::Invocation, invoke::InvokeError};

// JSON-RPC 2.0, 5.1.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
// 2025-11-25, server/resources, Error Handling. The modern era has none of its own.
const RESOURCE_NOT_FOUND: i32 = -32002;
// 2026-07-28, basic/index, Error Codes.
const HEADER_MISMATCH: i32 = -32020;
const MISSING_REQUIRED_CLIENT_CAPABILITY: i32 = -32021;
const UNSUPPORTED_PROTOCOL_VERSION: i32 = -32022;

/// A message that gets a JSON-RPC error. [`Display`](std::fmt::Display) is what the client reads.
#[derive(Debug, Error)]
pub(super) enum ProtocolError {
    /// Not JSON.
    #[error("Parse error: {0}")]
    Syntax(String),
    /// JSON, but no message of ours.
    #[error("Invalid request: {0}")]
    Request(&'static str),
    /// Not served in this era.
    #[error("Method not found: '{}'", excerpt(.method))]
    Method { method: String, era: Era },
    /// The params of a method.
    #[error("Invalid params: {0}")]
    Params(&'static str),
    /// What every modern request says about itself.
    #[error("Invalid params: {0}")]
    Meta(&'static str),
    /// No such tool. Azure's words.
    #[error("Unknown tool: '{}'", excerpt(.0))]
    Tool(String),
    /// No such prompt. Azure's words.
    #[error("Unknown prompt: '{}'", excerpt(.0))]
    Prompt(String),
    /// No such resource.
    #[error("Resource not found: '{}'", excerpt(.uri))]
    Resource { uri: String, era: Era },
    /// No such template, as the reference of a completion.
    #[error("Unknown resource template: '{}'", excerpt(.0))]
    Template(String),
    /// No such argument, as the argument of a completion.
    #[error("Unknown argument: '{}' of '{of}'", excerpt(.argument))]
    Argument { argument: String, of: String },
    /// No such skill.
    #[error("Unknown skill: '{}'", excerpt(.0))]
    Skill(String),
    /// Not a directory of a skill.
    #[error("Not a directory: '{}'", excerpt(.0))]
    Directory(String),
    /// Arguments that do not fit, in the words of whoever checked them.
    #[error("{0}")]
    Arguments(String),
    /// A function came to nothing, in its own words or in ours: where a result has no room for that.
    #[error("{0}")]
    Function(String),
    /// A header that is missing, unreadable, or says other than the body.
    #[error("Header mismatch: {0}")]
    Header(String),
    /// What a client brings back for what it was asked.
    #[error("Invalid params: {0}")]
    Input(String),
    /// The client did not declare what it would be asked for, or what the tool needs.
    #[error("Missing required client capability: {required}")]
    Capability { required: Value },
    /// A revision that is not served.
    #[error("Unsupported protocol version: '{}'", excerpt(.requested))]
    Version { requested: String },
    /// More calls of one stream wait than are kept.
    #[error("Too many calls are waiting (ask again once some are answered)")]
    Busy,
    /// Our fault.
    #[error("Internal error")]
    Internal,
}

#[derive(Serialize)]
struct Answer<'a> {
    jsonrpc: &'static str,
    // MCP has no `"id": null`: an error that answers nothing known has no id (schema, JSONRPCErrorResponse).
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: Body<'a>,
}

#[derive(Serialize)]
struct Body<'a> {
    code: i32,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Data<'a> {
    Versions(Versions<'a>),
    Capabilities(Capabilities<'a>),
    Uri { uri: &'a str },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Capabilities<'a> {
    required_capabilities: &'a Value,
}

#[derive(Serialize)]
struct Versions<'a> {
    supported: &'a [&'a str],
    requested: &'a str,
}

impl ProtocolError {
    /// A header whose value is not the one in the body.
    pub(super) fn mismatch(header: &str, value: &str, body: &str) -> Self {
        Self::Header(format!(
            "{header} header value '{}' does not match body value '{}'",
            excerpt(value),
            excerpt(body)
        ))
    }

    /// An invocation that came to nothing, where that is no result.
    pub(super) fn invoke(error: &InvokeError, invocation: &Invocation) -> Self {
        let message = error.public_message(invocation);
        if error.is_of_arguments() { Self::Arguments(message) } else { Self::Function(message) }
    }

    /// The answer to the request with this id.
    pub(super) fn reply(&self, id: Option<&RawValue>) -> Reply {
        let message = self.to_string();
        let body = write(id, self.body(&message));
        Reply::Message { status: self.status(), body, session: None }
    }

    /// The error itself, where it is not the answer to a request.
    pub(super) fn object(&self) -> Box<RawValue> {
        let message = self.to_string();
        to_raw_value(&self.body(&message)).expect("an error has string keys only")
    }

    fn body<'a>(&'a self, message: &'a str) -> Body<'a> {
        let data = match self {
            Self::Version { requested } => {
                let requested = excerpt(requested);
                Some(Data::Versions(Versions { supported: &SUPPORTED, requested }))
            }
            Self::Capability { required } => {
                Some(Data::Capabilities(Capabilities { required_capabilities: required }))
            }
            // Whole, where it is read by programs (2026-07-28, server/resources, Error Handling).
            Self::Resource { uri, .. } | Self::Skill(uri) | Self::Directory(uri) => {
                Some(Data::Uri { uri })
            }
            _ => None,
        };
        Body { code: self.code(), message, data }
    }

    /// What it is, for the log: what a client sent, and the message repeats, belongs in no log.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "syntax",
            Self::Request(_) => "request",
            Self::Method { .. } => "method",
            Self::Params(_) => "params",
            Self::Meta(_) => "meta",
            Self::Tool(_) => "tool",
            Self::Prompt(_) => "prompt",
            Self::Resource { .. } => "resource",
            Self::Template(_) => "template",
            Self::Argument { .. } => "argument",
            Self::Skill(_) => "skill",
            Self::Directory(_) => "directory",
            Self::Arguments(_) => "arguments",
            Self::Function(_) => "function",
            Self::Header(_) => "header",
            Self::Input(_) => "input",
            Self::Capability { .. } => "capability",
            Self::Version { .. } => "version",
            Self::Busy => "busy",
            Self::Internal => "internal",
        }
    }

    pub(super) fn code(&self) -> i32 {
        match self {
            Self::Syntax(_) => PARSE_ERROR,
            Self::Request(_) => INVALID_REQUEST,
            Self::Method { .. } => METHOD_NOT_FOUND,
            Self::Resource { era: Era::Legacy, .. } => RESOURCE_NOT_FOUND,
            Self::Params(_)
            | Self::Meta(_)
            | Self::Tool(_)
            | Self::Prompt(_)
            | Self::Resource { era: Era::Modern, .. }
            | Self::Template(_)
            | Self::Argument { .. }
            | Self::Skill(_)
            | Self::Directory(_)
            | Self::Arguments(_)
            | Self::Input(_) => INVALID_PARAMS,
            Self::Header(_) => HEADER_MISMATCH,
            Self::Version { .. } => UNSUPPORTED_PROTOCOL_VERSION,
            Self::Capability { .. } => MISSING_REQUIRED_CLIENT_CAPABILITY,
            // No code says busy, and new code takes none of -32000 to -32019 (2026-07-28, basic/index, Error Codes).
            Self::Busy | Self::Function(_) | Self::Internal => INTERNAL_ERROR,
        }
    }

    /// A bad request is one whose frame is wrong: the message, its headers, its `_meta`. What a method says
    /// of its own params is an ordinary answer, as it always was.
    fn status(&self) -> Status {
        match self {
            Self::Syntax(_)
            | Self::Request(_)
            | Self::Meta(_)
            | Self::Header(_)
            | Self::Capability { .. }
            | Self::Version { .. } => Status::BadRequest,
            Self::Method { era: Era::Modern, .. } => Status::NotFound,
            Self::Method { era: Era::Legacy, .. }
            | Self::Params(_)
            | Self::Tool(_)
            | Self::Prompt(_)
            | Self::Resource { .. }
            | Self::Template(_)
            | Self::Argument { .. }
            | Self::Skill(_)
            | Self::Directory(_)
            | Self::Arguments(_)
            | Self::Input(_)
            | Self::Function(_) => Status::Ok,
            Self::Busy | Self::Internal => Status::Internal,
        }
    }
}

/// The body for a message that the transport refused before it was read: an error that has no id.
pub(crate) fn refusal(reason: &str) -> Bytes {
    write(None, Body { code: INVALID_REQUEST, message: reason, data: None })
}

fn write(id: Option<&RawValue>, error: Body<'_>) -> Bytes {
    let answer = Answer { jsonrpc: "2.0", id, error };
    serde_json::to_vec(&answer).expect("an error has string keys only").into()
}

/// The beginning of what a client sent: an error is no place to send it all back.
fn excerpt(text: &str) -> &str {
    &text[..text.floor_char_boundary(200)]
}
