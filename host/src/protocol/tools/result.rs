//! What an invocation came to, as the result of `tools/call`.

#[cfg(test)]
mod tests;

use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use crate::{
    function::{Outcome, Reply},
    json::Members,
    protocol::{
        content::ContentBlock,
        modern::envelope::{COMPLETE, SERVER_INFO, ServerMeta},
        raw,
    },
};

/// `CallToolResult` of the protocol, borrowed from an outcome.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::protocol) struct CallResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    content: Vec<ContentBlock<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_error: bool,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Meta<'a>>,
}

/// `_meta` of a result: what the function gave, and who answers.
enum Meta<'a> {
    Given(&'a RawValue),
    Server(&'a RawValue),
    Both(Members<'a>, &'a RawValue),
}

impl<'a> CallResult<'a> {
    /// The result in 2026-07-28.
    pub(in crate::protocol) fn modern(
        outcome: &'a Result<Outcome, String>,
        server: &'a ServerMeta,
    ) -> Self {
        let mut result = Self::new(outcome);
        result.result_type = Some(COMPLETE);
        result.meta = Some(match result.meta {
            Some(Meta::Given(given)) => match raw::object(given.get()) {
                Some(members) => Meta::Both(members, &server.info),
                None => Meta::Server(&server.object),
            },
            _ => Meta::Server(&server.object),
        });
        result
    }

    /// The result in a task: it says itself who answers.
    pub(in crate::protocol) fn of_task(outcome: &'a Outcome) -> Self {
        Self { result_type: Some(COMPLETE), ..Self::of_outcome(outcome) }
    }

    /// The error of a tool, in a task.
    pub(in crate::protocol) fn of_fault(text: &'a str) -> Self {
        Self { result_type: Some(COMPLETE), ..Self::of_text(text) }
    }

    /// The result in 2025-11-25 and before.
    pub(in crate::protocol) fn legacy(outcome: &'a Result<Outcome, String>) -> Self {
        let mut result = Self::new(outcome);
        // Structured content was an object until 2026-07-28. Its text is among the content anyway.
        result.structured_content =
            result.structured_content.filter(|value| value.get().starts_with('{'));
        result
    }

    fn new(outcome: &'a Result<Outcome, String>) -> Self {
        match outcome {
            Ok(outcome) => Self::of_outcome(outcome),
            Err(text) => Self::of_text(text),
        }
    }

    fn of_outcome(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Nothing => Self::of(Vec::new()),
            Outcome::Text(text) => Self::of(vec![ContentBlock::Text(text)]),
            Outcome::Bytes(bytes) => Self::of(vec![ContentBlock::Bytes(bytes)]),
            Outcome::Value(value) => Self {
                structured_content: Some(value),
                ..Self::of(vec![ContentBlock::Text(value.get())])
            },
            Outcome::Reply(reply) => Self::given(reply),
            // Its details are for the log (wit/types.wit, `failure`).
            Outcome::Failure(failure) => Self::of_text(&failure.message),
            Outcome::Contents(_)
            | Outcome::Messages(_)
            | Outcome::InputRequired(_)
            | Outcome::Suggestions(_) => unreachable!("no outcome that a tool ends with"),
        }
    }

    fn of_text(text: &'a str) -> Self {
        Self { is_error: true, ..Self::of(vec![ContentBlock::Text(text)]) }
    }

    fn given(reply: &'a Reply) -> Self {
        let content = match (reply.content.as_slice(), &reply.structured) {
            // Clients that know no structured content get its text (server/tools, Structured Content).
            ([], Some(structured)) => vec![ContentBlock::Text(structured.get())],
            (content, _) => content.iter().map(ContentBlock::Given).collect(),
        };
        // Clients check structured content against the output schema, which an error need not fit.
        let structured_content = reply.structured.as_deref().filter(|_| !reply.is_error);
        let meta =
            reply.meta.as_deref().filter(|meta| meta.get().starts_with('{')).map(Meta::Given);
        Self { structured_content, is_error: reply.is_error, meta, ..Self::of(content) }
    }

    fn of(content: Vec<ContentBlock<'a>>) -> Self {
        Self { result_type: None, content, structured_content: None, is_error: false, meta: None }
    }
}

impl Serialize for Meta<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Given(object) | Self::Server(object) => object.serialize(serializer),
            Self::Both(Members(given), server) => {
                let mut map = serializer.serialize_map(None)?;
                // Who answers is for the host to say.
                for (name, value) in given.iter().filter(|(name, _)| name != SERVER_INFO) {
                    map.serialize_entry(name, value)?;
                }
                map.serialize_entry(SERVER_INFO, server)?;
                map.end()
            }
        }
    }
}
