//! What a prompt returns, and what the client gets for it.

use std::fmt::Display;

use crate::{Content, Stop, stop::Refusal, wit};

/// One message of a prompt.
///
/// ```
/// use mcpfn_sdk::{Content, PromptMessage, mcp_prompt};
///
/// /// Reviews a file.
/// #[mcp_prompt]
/// fn review(
///     /// Its text.
///     code: String,
/// ) -> Vec<PromptMessage> {
///     vec![
///         PromptMessage::user(Content::resource("file:///code", "text/plain", code)),
///         PromptMessage::assistant("I have read it."),
///         PromptMessage::user("What is wrong with it?"),
///     ]
/// }
/// # fn main() { assert_eq!(review(String::new()).len(), 3) }
/// ```
#[derive(Clone, Debug)]
pub struct PromptMessage(wit::PromptMessage);

impl PromptMessage {
    /// What the person says.
    pub fn user(content: impl Into<Content>) -> Self {
        Self(wit::PromptMessage { role: wit::Role::User, content: content.into().into() })
    }

    /// What the model says.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self(wit::PromptMessage { role: wit::Role::Assistant, content: content.into().into() })
    }
}

/// A type that a prompt may return.
///
/// | returned | the client gets |
/// | --- | --- |
/// | `String`, `&'static str`, [`Content`] | one message of the person |
/// | [`PromptMessage`], a `Vec` of them | those messages |
/// | `Err(E)`, `E: Display` | an error with that message |
/// | `Err(`[`Stop`]`)` | the questions, or an error |
#[diagnostic::on_unimplemented(
    message = "a prompt cannot return `{Self}`",
    label = "not a type of messages",
    note = "return `String`, `PromptMessage`, `Vec<PromptMessage>`, or a `Result` of these"
)]
pub trait PromptReturn {
    /// What the invocation came to.
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure>;
}

impl PromptReturn for String {
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure> {
        PromptMessage::user(self).into_messages()
    }
}

impl PromptReturn for &'static str {
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure> {
        PromptMessage::user(self).into_messages()
    }
}

impl PromptReturn for Content {
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure> {
        PromptMessage::user(self).into_messages()
    }
}

impl PromptReturn for PromptMessage {
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure> {
        vec![self].into_messages()
    }
}

impl PromptReturn for Vec<PromptMessage> {
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Messages(self.into_iter().map(|message| message.0).collect()))
    }
}

impl<T: PromptReturn, E: Display> PromptReturn for Result<T, E> {
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or_else(Refusal::into_outcome, T::into_messages)
    }
}

impl<T: PromptReturn> PromptReturn for Result<T, Stop> {
    fn into_messages(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or_else(Refusal::into_outcome, T::into_messages)
    }
}
