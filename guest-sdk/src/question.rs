//! What a client can be asked.

use serde_json::Value;

use crate::wit;

/// A question to the client, for [`Ask::question`](crate::Ask::question).
#[derive(Clone, Debug)]
pub struct Question(wit::Ask);

impl Question {
    /// A form that the person fills in: a flat JSON Schema of an object, as JSON text. For clients that declare
    /// [`elicitation_form`](crate::Capabilities::elicitation_form).
    ///
    /// ```
    /// use mcpfn_sdk::Question;
    ///
    /// let schema = r#"{ "type": "object", "properties": { "age": { "type": "integer", "default": 30 } } }"#;
    /// let question = Question::form("How old are you?", schema);
    /// # drop(question);
    /// ```
    pub fn form(message: impl Into<String>, schema: impl Into<String>) -> Self {
        let (message, schema) = (message.into(), schema.into());
        Self(wit::Ask::Form(wit::FormQuestion { message, schema }))
    }

    /// A page that the person opens, for what must not pass through the client. For clients that declare
    /// [`elicitation_url`](crate::Capabilities::elicitation_url).
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        let (message, url) = (message.into(), url.into());
        Self(wit::Ask::Url(wit::UrlQuestion { message, url }))
    }

    /// Something of the client's model: the params of `sampling/createMessage`. For clients that declare
    /// [`sampling`](crate::Capabilities::sampling).
    pub fn sampling(params: &Value) -> Self {
        Self(wit::Ask::Sampling(params.to_string()))
    }

    /// The folders that the client works in. For clients that declare [`roots`](crate::Capabilities::roots).
    pub fn roots() -> Self {
        Self(wit::Ask::Roots)
    }

    pub(crate) fn into_wit(self) -> wit::Ask {
        self.0
    }
}
