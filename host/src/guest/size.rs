//! How large an answer of a guest is: every text and byte of it, so that nothing slips past the limit.

use super::bindings::mcpfn::function::types as wit;

/// The bytes of an answer.
pub(super) fn answer(answer: &Result<wit::Completion, wit::Failure>) -> usize {
    match answer {
        Ok(completion) => {
            let outputs =
                completion.outputs.iter().map(|output| output.name.len() + value(&output.value));
            outcome(&completion.outcome) + outputs.sum::<usize>()
        }
        Err(failure) => failure.message.len() + text(failure.details.as_ref()),
    }
}

fn outcome(outcome: &wit::Outcome) -> usize {
    match outcome {
        wit::Outcome::Text(text) | wit::Outcome::Value(text) => text.len(),
        wit::Outcome::Bytes(bytes) => bytes.len(),
        wit::Outcome::Reply(reply) => {
            let blocks = reply.content.iter().map(content).sum::<usize>();
            blocks + text(reply.structured.as_ref()) + text(reply.meta.as_ref())
        }
        // A tool that answers with one of these is refused, whatever its size.
        wit::Outcome::Nothing
        | wit::Outcome::Contents(_)
        | wit::Outcome::Messages(_)
        | wit::Outcome::InputRequired(_) => 0,
    }
}

fn content(content: &wit::Content) -> usize {
    let block = match &content.block {
        wit::Block::Text(text) | wit::Block::Link(text) | wit::Block::Other(text) => text.len(),
        wit::Block::Image(media) | wit::Block::Audio(media) => {
            media.data.len() + media.mime_type.len()
        }
        wit::Block::Resource(resource) => {
            let body = match &resource.body {
                wit::ResourceBody::Text(text) => text.len(),
                wit::ResourceBody::Bytes(bytes) => bytes.len(),
            };
            body + text(resource.uri.as_ref())
                + text(resource.mime_type.as_ref())
                + text(resource.meta.as_ref())
        }
    };
    block + text(content.annotations.as_ref()) + text(content.meta.as_ref())
}

fn value(value: &wit::Value) -> usize {
    match value {
        wit::Value::Text(text) | wit::Value::Json(text) => text.len(),
        wit::Value::Bytes(bytes) => bytes.len(),
    }
}

fn text(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}
