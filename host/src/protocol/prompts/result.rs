//! What an invocation came to, as the result of `prompts/get`.

use serde::Serialize;

use crate::{
    function::{Function, Outcome, PromptMessage, Role},
    protocol::{
        content::ContentBlock, error::ProtocolError, framed::Framed, modern::envelope::ServerMeta,
        revision::Era,
    },
};

/// The members of `GetPromptResult`.
#[derive(Serialize)]
pub(in crate::protocol) struct Messages<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: ContentBlock<'a>,
}

/// The messages that a function gave. A text is what the person says.
pub(in crate::protocol) fn messages<'a>(
    function: &'a Function,
    outcome: &'a Outcome,
) -> Result<Messages<'a>, ProtocolError> {
    let messages = match outcome {
        Outcome::Text(text) => {
            vec![Message { role: role(Role::User), content: ContentBlock::Text(text) }]
        }
        Outcome::Messages(messages) => messages.iter().map(message).collect(),
        Outcome::Failure(failure) => return Err(ProtocolError::Function(failure.message.clone())),
        Outcome::Nothing
        | Outcome::Bytes(_)
        | Outcome::Value(_)
        | Outcome::Reply(_)
        | Outcome::Contents(_)
        | Outcome::InputRequired(_)
        | Outcome::Suggestions(_) => return Err(ProtocolError::Internal),
    };
    let description = function.prompt().and_then(|prompt| prompt.description.as_deref());
    Ok(Messages { description, messages })
}

/// The result of a function.
pub(in crate::protocol) fn of_messages<'a>(
    era: Era,
    messages: Messages<'a>,
    server: &'a ServerMeta,
) -> Framed<'a, Messages<'a>> {
    Framed::new(era, messages, server)
}

fn message(message: &PromptMessage) -> Message<'_> {
    Message { role: role(message.role), content: ContentBlock::Given(&message.content) }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}
