//! What a guest answered, held against what it was asked.

use serde_json::value::RawValue;

use crate::{
    function::{
        Ask, Block, Completion, Content, Entry, Failure, InputRequest, Invocation, Json, Limits,
        Media, Outcome, Output, PromptMessage, Question, Reply, ResourceBody, ResourceContents,
        Role, Suggestions, Trigger, Value,
    },
    guest::{GuestError, bindings::mcpfn::function::types as wit, size},
    media_type,
};

pub(in crate::guest) fn completion(
    answer: Result<wit::Completion, wit::Failure>,
    invocation: &Invocation,
    limits: &Limits,
) -> Result<Completion, GuestError> {
    if size::answer(&answer) > limits.reply {
        return Err(too_large(limits));
    }
    let completion = match answer {
        Ok(completion) => completion,
        Err(failure) => {
            let details = failure.details.map(guest_json).transpose()?;
            let outcome = Outcome::Failure(Failure { message: failure.message, details });
            return Ok(Completion { outcome, outputs: Vec::new() });
        }
    };
    let outputs = completion
        .outputs
        .into_iter()
        .map(|output| Output { name: output.name, value: value_from_guest(output.value) })
        .collect();
    let outcome = outcome(completion.outcome)?;
    if !fits(invocation, &outcome) {
        return Err(misfit(invocation, &outcome));
    }
    Ok(Completion { outcome, outputs })
}

/// The guest returned more than one reply may have.
pub(in crate::guest) fn too_large(limits: &Limits) -> GuestError {
    GuestError::Contract { reason: format!("more than the limit of {} MiB", limits.reply >> 20) }
}

/// Which outcomes a function may have: those of its kind, and when it completes an argument, suggestions.
fn fits(invocation: &Invocation, outcome: &Outcome) -> bool {
    use Outcome as O;
    if let Entry::Complete { .. } = invocation.entry {
        return matches!(outcome, O::Nothing | O::Suggestions(_));
    }
    match &invocation.function.trigger {
        Trigger::Tool(_) => matches!(
            outcome,
            O::Nothing | O::Text(_) | O::Bytes(_) | O::Value(_) | O::Reply(_) | O::InputRequired(_)
        ),
        // Nothing: there is no such resource.
        Trigger::Resource(_) => matches!(
            outcome,
            O::Nothing
                | O::Text(_)
                | O::Bytes(_)
                | O::Value(_)
                | O::Contents(_)
                | O::InputRequired(_)
        ),
        Trigger::Prompt(_) => {
            matches!(outcome, O::Text(_) | O::Messages(_) | O::InputRequired(_))
        }
    }
}

/// What the function returned does not fit what it was asked for.
fn misfit(invocation: &Invocation, outcome: &Outcome) -> GuestError {
    let what = match outcome {
        Outcome::Nothing => "nothing",
        Outcome::Text(_) => "a text",
        Outcome::Bytes(_) => "bytes",
        Outcome::Value(_) => "a value",
        Outcome::Reply(_) => "the reply of a tool",
        Outcome::Contents(_) => "resource contents",
        Outcome::Messages(_) => "prompt messages",
        Outcome::InputRequired(_) => "a request for input",
        Outcome::Suggestions(_) => "suggestions",
        Outcome::Failure(_) => "a failure",
    };
    let asked = match invocation.entry {
        Entry::Complete { .. } => "completion",
        Entry::Call => invocation.function.trigger.kind(),
    };
    GuestError::Contract { reason: format!("{what}, which a {asked} cannot") }
}

fn outcome(outcome: wit::Outcome) -> Result<Outcome, GuestError> {
    Ok(match outcome {
        wit::Outcome::Nothing => Outcome::Nothing,
        wit::Outcome::Text(text) => Outcome::Text(text),
        wit::Outcome::Bytes(bytes) => Outcome::Bytes(bytes),
        wit::Outcome::Value(text) => Outcome::Value(guest_json(text)?),
        wit::Outcome::Reply(reply) => Outcome::Reply(self::reply(reply)?),
        wit::Outcome::Contents(contents) => Outcome::Contents(
            contents.into_iter().map(resource_contents).collect::<Result<_, _>>()?,
        ),
        wit::Outcome::Messages(messages) => {
            Outcome::Messages(messages.into_iter().map(message).collect::<Result<_, _>>()?)
        }
        wit::Outcome::InputRequired(request) => Outcome::InputRequired(input_request(request)?),
        wit::Outcome::Suggestions(suggestions) => Outcome::Suggestions(Suggestions {
            values: suggestions.values,
            total: suggestions.total,
            more: suggestions.more,
        }),
    })
}

fn message(message: wit::PromptMessage) -> Result<PromptMessage, GuestError> {
    let role = match message.role {
        wit::Role::User => Role::User,
        wit::Role::Assistant => Role::Assistant,
    };
    Ok(PromptMessage { role, content: content(message.content)? })
}

fn resource_contents(contents: wit::ResourceContents) -> Result<ResourceContents, GuestError> {
    contents
        .mime_type
        .as_deref()
        .map_or(Ok(()), media_type::check)
        .map_err(|reason| GuestError::Contract { reason: format!("contents whose {reason}") })?;
    Ok(ResourceContents {
        uri: contents.uri,
        mime_type: contents.mime_type,
        body: match contents.body {
            wit::ResourceBody::Text(text) => ResourceBody::Text(text),
            wit::ResourceBody::Bytes(bytes) => ResourceBody::Bytes(bytes),
        },
        meta: contents.meta.map(guest_object).transpose()?,
    })
}

fn input_request(request: wit::InputRequest) -> Result<InputRequest, GuestError> {
    let broken = |reason: &str| GuestError::Contract { reason: reason.to_owned() };
    if request.questions.is_empty() {
        return Err(broken("a request for input without a question"));
    }
    if request.state.len() > InputRequest::MAX_STATE {
        let limit = InputRequest::MAX_STATE >> 10;
        return Err(broken(&format!("a request for input whose state is longer than {limit} KiB")));
    }
    let mut questions: Vec<Question> = Vec::with_capacity(request.questions.len());
    for question in request.questions {
        if questions.iter().any(|other| other.key == question.key) {
            return Err(broken("a request for input with two questions of one key"));
        }
        let ask = match question.ask {
            wit::Ask::Form(form) => {
                Ask::Form { message: form.message, schema: guest_object(form.schema)? }
            }
            wit::Ask::Url(page) => Ask::Url { message: page.message, url: page.url },
            wit::Ask::Sampling(params) => Ask::Sampling(guest_object(params)?),
            wit::Ask::Roots => Ask::Roots,
        };
        questions.push(Question { key: question.key, ask });
    }
    Ok(InputRequest { questions, state: request.state })
}

fn reply(reply: wit::Reply) -> Result<Reply, GuestError> {
    Ok(Reply {
        content: reply.content.into_iter().map(content).collect::<Result<_, _>>()?,
        structured: reply.structured.map(guest_json).transpose()?,
        is_error: reply.is_error,
        meta: reply.meta.map(guest_object).transpose()?,
    })
}

fn content(content: wit::Content) -> Result<Content, GuestError> {
    let media = |media: wit::Media| Media { data: media.data, mime_type: media.mime_type };
    let block = match content.block {
        wit::Block::Text(text) => Block::Text(text),
        wit::Block::Image(image) => Block::Image(media(image)),
        wit::Block::Audio(audio) => Block::Audio(media(audio)),
        wit::Block::Resource(resource) => Block::Resource(resource_contents(resource)?),
        wit::Block::Link(text) => Block::Link(guest_object(text)?),
        wit::Block::Other(text) => Block::Other(guest_object(text)?),
    };
    let annotations = content.annotations.map(guest_object).transpose()?;
    Ok(Content { block, annotations, meta: content.meta.map(guest_object).transpose()? })
}

/// A guest writes its JSON itself: a client must not see what is none.
fn guest_json(text: String) -> Result<Json, GuestError> {
    RawValue::from_string(text).map_err(|error| GuestError::Contract {
        reason: format!("a text that is not JSON ({error})"),
    })
}

/// Where the protocol has an object, anything else would break the whole result.
fn guest_object(text: String) -> Result<Json, GuestError> {
    let json = guest_json(text)?;
    if json.get().starts_with('{') {
        return Ok(json);
    }
    Err(GuestError::Contract {
        reason: "a JSON text that is not an object where one belongs".to_owned(),
    })
}

fn value_from_guest(value: wit::Value) -> Value {
    match value {
        wit::Value::Text(text) => Value::Text(text),
        wit::Value::Bytes(bytes) => Value::Bytes(bytes),
        wit::Value::Json(json) => Value::Json(json),
    }
}

#[cfg(test)]
mod tests {
    use super::{input_request, wit};

    fn question(key: &str) -> wit::Question {
        wit::Question { key: key.to_owned(), ask: wit::Ask::Roots }
    }

    fn check(questions: Vec<wit::Question>, state: Vec<u8>, expected: Option<&str>) {
        let read = input_request(wit::InputRequest { questions, state });
        let error = read.err().map(|error| error.to_string());
        match (error, expected) {
            (None, None) => {}
            (Some(error), Some(expected)) => assert!(error.contains(expected), "{error}"),
            (error, expected) => panic!("{error:?}, and not {expected:?}"),
        }
    }

    #[test]
    fn a_request_for_input_has_questions_of_different_keys_and_a_short_state() {
        let longest = vec![0; 64 << 10];
        check(vec![question("a"), question("b")], longest.clone(), None);
        check(Vec::new(), Vec::new(), Some("without a question"));
        let equal = vec![question("a"), question("b"), question("a")];
        check(equal, Vec::new(), Some("two questions of one key"));
        let longer = [longest, vec![0]].concat();
        check(vec![question("a")], longer, Some("longer than 64 KiB"));
    }

    #[test]
    fn what_is_asked_is_an_object() {
        for json in ["[]", "7", "x", ""] {
            let form = wit::FormQuestion { message: "m".to_owned(), schema: json.to_owned() };
            for ask in [wit::Ask::Form(form), wit::Ask::Sampling(json.to_owned())] {
                let question = wit::Question { key: "a".to_owned(), ask };
                check(vec![question], Vec::new(), Some("JSON"));
            }
        }
    }
}
