//! What comes back for a question.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Stop, wit};

/// What became of a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// The fields of a form, a JSON object; an empty one for a page. Of sampling and roots the client's result.
    Accepted(Value),
    /// The person said no.
    Declined,
    /// The person closed the question.
    Cancelled,
}

/// A folder that the client works in.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Root {
    /// Where it is: a `file:` URI.
    pub uri: String,
    /// The name shown to people.
    pub name: Option<String>,
}

impl Answer {
    /// The word that the protocol has for it: `accept`, `decline`, `cancel`.
    ///
    /// ```
    /// assert_eq!(mcpfn_sdk::Answer::Declined.action(), "decline");
    /// ```
    pub fn action(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accept",
            Self::Declined => "decline",
            Self::Cancelled => "cancel",
        }
    }

    /// The value of an accepted answer, read by serde; the error says what does not fit.
    ///
    /// ```
    /// use mcpfn_sdk::{Answer, serde_json::json};
    ///
    /// let answer = Answer::from(json!({ "n": 1 }));
    /// assert!(answer.accepted::<std::collections::BTreeMap<String, u8>>().is_ok_and(|fields| fields.is_some()));
    /// assert_eq!(Answer::Cancelled.accepted::<u8>().ok(), Some(None));
    /// ```
    pub fn accepted<T: DeserializeOwned>(&self) -> Result<Option<T>, serde_json::Error> {
        match self {
            Self::Accepted(value) => T::deserialize(value).map(Some),
            Self::Declined | Self::Cancelled => Ok(None),
        }
    }

    /// The value of an accepted answer; a no ends the function.
    pub(crate) fn value(self, key: &str) -> Result<Value, Stop> {
        match self {
            Self::Accepted(value) => Ok(value),
            Self::Declined => Err(Stop::failed(format!("the question `{key}` was declined"))),
            Self::Cancelled => Err(Stop::failed(format!("the question `{key}` was cancelled"))),
        }
    }

    /// None where the host's JSON is none: the question counts as not answered.
    pub(crate) fn of_host(value: &wit::AnswerValue) -> Option<Self> {
        Some(match value {
            wit::AnswerValue::Accepted(json) => Self::Accepted(serde_json::from_str(json).ok()?),
            wit::AnswerValue::Declined => Self::Declined,
            wit::AnswerValue::Cancelled => Self::Cancelled,
        })
    }

    pub(crate) fn into_wit(self) -> wit::AnswerValue {
        match self {
            Self::Accepted(value) => wit::AnswerValue::Accepted(value.to_string()),
            Self::Declined => wit::AnswerValue::Declined,
            Self::Cancelled => wit::AnswerValue::Cancelled,
        }
    }
}

/// An accepted answer.
impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Self::Accepted(value)
    }
}

/// The text of a `CreateMessageResult`, whose content is one block, or a list since 2025-11-25.
pub(crate) fn sampled_text(result: &Value) -> Option<String> {
    let content = &result["content"];
    let blocks = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    (!texts.is_empty()).then(|| texts.concat())
}

/// The roots of a `ListRootsResult`.
pub(crate) fn roots(mut result: Value) -> Result<Vec<Root>, serde_json::Error> {
    Vec::deserialize(result["roots"].take())
}
