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
        wit::Outcome::Contents(contents) => contents.iter().map(resource).sum(),
        wit::Outcome::Messages(messages) => {
            messages.iter().map(|message| content(&message.content)).sum()
        }
        wit::Outcome::InputRequired(request) => {
            request.state.len() + request.questions.iter().map(question).sum::<usize>()
        }
        wit::Outcome::Suggestions(suggestions) => suggestions.values.iter().map(String::len).sum(),
        wit::Outcome::Nothing => 0,
    }
}

fn question(question: &wit::Question) -> usize {
    let ask = match &question.ask {
        wit::Ask::Form(form) => form.message.len() + form.schema.len(),
        wit::Ask::Url(page) => page.message.len() + page.url.len(),
        wit::Ask::Sampling(params) => params.len(),
        wit::Ask::Roots => 0,
    };
    question.key.len() + ask
}

fn content(content: &wit::Content) -> usize {
    let block = match &content.block {
        wit::Block::Text(text) | wit::Block::Link(text) | wit::Block::Other(text) => text.len(),
        wit::Block::Image(media) | wit::Block::Audio(media) => {
            media.data.len() + media.mime_type.len()
        }
        wit::Block::Resource(contents) => resource(contents),
    };
    block + text(content.annotations.as_ref()) + text(content.meta.as_ref())
}

fn resource(contents: &wit::ResourceContents) -> usize {
    let body = match &contents.body {
        wit::ResourceBody::Text(text) => text.len(),
        wit::ResourceBody::Bytes(bytes) => bytes.len(),
    };
    body + text(contents.uri.as_ref())
        + text(contents.mime_type.as_ref())
        + text(contents.meta.as_ref())
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
