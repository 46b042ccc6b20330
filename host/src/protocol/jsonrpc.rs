//! JSON-RPC 2.0 as MCP narrows it: one message at a time, ids that are strings or integers, params by name.

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{Reply, Status, error::ProtocolError, raw};

/// One level less than `serde_json` reads, so that whatever passes here can be read further in.
const MAX_DEPTH: usize = 127;

/// A message of a client.
#[derive(Debug)]
pub(super) enum Message<'a> {
    /// Wants an answer.
    Request(Request<'a>),
    /// Wants none.
    Notification(Request<'a>),
    /// Answers a request of ours.
    Response(Response<'a>),
}

/// What a client answers a request of ours with.
#[derive(Debug)]
pub(super) struct Response<'a> {
    /// The id that we gave, as the client wrote it. None: it answers nothing that the client could read.
    pub(super) id: Option<Cow<'a, RawValue>>,
    /// The result, or the error.
    pub(super) outcome: Result<Cow<'a, RawValue>, Cow<'a, RawValue>>,
}

/// A request, or a notification when there is no id.
#[derive(Debug)]
pub(super) struct Request<'a> {
    /// A string or an integer, as the client wrote it.
    pub(super) id: Option<Cow<'a, RawValue>>,
    /// The method.
    pub(super) method: Cow<'a, str>,
    /// The text of an object.
    pub(super) params: Cow<'a, str>,
}

/// What is wrong with a message, and its id where that could be read.
#[derive(Debug)]
pub(super) struct Malformed {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) error: ProtocolError,
}

#[derive(Deserialize)]
struct Wire<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "even_null")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "even_null")]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

// An id of null is wrong, an absent one is not: `Option` alone does not tell them apart.
fn even_null<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

#[derive(Serialize)]
struct Answer<'a, R> {
    jsonrpc: &'static str,
    id: Option<&'a RawValue>,
    result: R,
}

/// Reads one message.
pub(super) fn parse(body: &[u8]) -> Result<Message<'_>, Malformed> {
    let text = std::str::from_utf8(body)
        .map_err(|_| malformed(ProtocolError::Syntax("not UTF-8".to_owned())))?;
    let text = text.trim_ascii();
    if nests_deeper_than(text, MAX_DEPTH) {
        return Err(malformed(ProtocolError::Syntax(format!(
            "nested deeper than {MAX_DEPTH} levels"
        ))));
    }
    if !text.starts_with('{') {
        return Err(malformed(not_an_object(text)));
    }
    let wire: Wire<'_> = serde_json::from_str(text).map_err(|error| malformed(classify(&error)))?;
    let id = match wire.id {
        Some(id) if !is_id(id.get()) => {
            return Err(malformed(ProtocolError::Request("`id` must be a string or an integer")));
        }
        id => id,
    };
    wire.into_message().map_err(|reason| Malformed {
        id: id.map(ToOwned::to_owned),
        error: ProtocolError::Request(reason),
    })
}

impl<'a> Wire<'a> {
    fn into_message(self) -> Result<Message<'a>, &'static str> {
        if self.jsonrpc.is_none_or(|version| version.get() != r#""2.0""#) {
            return Err("`jsonrpc` must be \"2.0\"");
        }
        let Some(method) = self.method else {
            let outcome = match (self.result, self.error) {
                (Some(result), None) => Ok(Cow::Borrowed(result)),
                (_, Some(error)) => Err(Cow::Borrowed(error)),
                (None, None) => return Err("`method` is missing"),
            };
            let id = self.id.map(Cow::Borrowed);
            return Ok(Message::Response(Response { id, outcome }));
        };
        let method = raw::string(method).ok_or("`method` must be a string")?;
        // Absent and null are common among older clients and mean the same.
        let params = self.params.map_or("{}", RawValue::get);
        if !params.starts_with('{') {
            return Err("`params` must be an object");
        }
        let (id, params) = (self.id.map(Cow::Borrowed), Cow::Borrowed(params));
        let request = Request { id, method, params };
        Ok(if request.id.is_some() {
            Message::Request(request)
        } else {
            Message::Notification(request)
        })
    }
}

impl Message<'_> {
    /// The same, free of the bytes that it was read from.
    pub(super) fn into_owned(self) -> Message<'static> {
        match self {
            Self::Request(request) => Message::Request(request.into_owned()),
            Self::Notification(notification) => Message::Notification(notification.into_owned()),
            Self::Response(response) => Message::Response(Response {
                id: response.id.map(|id| Cow::Owned(id.into_owned())),
                outcome: match response.outcome {
                    Ok(result) => Ok(Cow::Owned(result.into_owned())),
                    Err(error) => Err(Cow::Owned(error.into_owned())),
                },
            }),
        }
    }
}

impl Request<'_> {
    fn into_owned(self) -> Request<'static> {
        Request {
            id: self.id.map(|id| Cow::Owned(id.into_owned())),
            method: Cow::Owned(self.method.into_owned()),
            params: Cow::Owned(self.params.into_owned()),
        }
    }

    /// The reply with this result.
    pub(super) fn reply(&self, result: impl Serialize) -> Reply {
        let answer = Answer { jsonrpc: "2.0", id: self.id.as_deref(), result };
        let body = serde_json::to_vec(&answer).expect("results have string keys only");
        Reply::Message { status: Status::Ok, body: Bytes::from(body), session: None }
    }
}

#[derive(Serialize)]
struct Call<'a, P> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    method: &'a str,
    params: P,
}

/// A notification of ours.
pub(super) fn notification(method: &str, params: &impl Serialize) -> Bytes {
    write(&Call { jsonrpc: "2.0", id: None, method, params })
}

/// A request of ours.
pub(super) fn request(id: &str, method: &str, params: &impl Serialize) -> Bytes {
    write(&Call { jsonrpc: "2.0", id: Some(id), method, params })
}

/// The result of the request with this id.
pub(super) fn result(id: &RawValue, result: &impl Serialize) -> Bytes {
    write(&Answer { jsonrpc: "2.0", id: Some(id), result })
}

fn write(message: &impl Serialize) -> Bytes {
    serde_json::to_vec(message).expect("messages have string keys only").into()
}

fn malformed(error: ProtocolError) -> Malformed {
    Malformed { id: None, error }
}

fn classify(error: &serde_json::Error) -> ProtocolError {
    match error.classify() {
        // The shape holds anything, so the one thing left to refuse is a name that comes twice.
        serde_json::error::Category::Data => ProtocolError::Request("a member comes twice"),
        _ => ProtocolError::Syntax(error.to_string()),
    }
}

fn not_an_object(text: &str) -> ProtocolError {
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Err(error) => ProtocolError::Syntax(error.to_string()),
        // Batches left the protocol with 2025-06-18 and were never in 2024-11-05's HTTP transport.
        Ok(_) if text.starts_with('[') => {
            ProtocolError::Request("batches are not supported, send one message at a time")
        }
        Ok(_) => ProtocolError::Request("a message must be an object"),
    }
}

fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    text.starts_with('"') || digits.bytes().all(|b| b.is_ascii_digit())
}

/// `RawValue` is skipped over without recursion, so a depth that only the next reader finds too deep is found here.
fn nests_deeper_than(text: &str, limit: usize) -> bool {
    let mut depth = 0_usize;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return true;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    false
}

fn skip_string(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
}
