//! Between the contract's types and the host's own.

use serde_json::{Map, Value as JsonValue, value::RawValue};

use super::{GuestError, LoadError, bindings::mcpfn::function::types as wit, size};
use crate::function::{
    Answer, AnswerValue, Ask, BindingDecl, Block, Completion, Content, Declaration, Direction,
    Entry, Failure, Input, InputRequest, Invocation, Json, Limits, Media, Origin, Outcome, Output,
    PropertyKind, Question, Reply, ResourceBody, ResourceContents, Resumption, SECRET_HEADERS,
    Schema, TaskSupport, ToolProperty, ToolTrigger, Trigger, Value, check_tool_name,
};

pub(super) fn declaration(function: wit::Function) -> Result<Declaration, LoadError> {
    let name = function.name;
    let refuse = |reason: String| LoadError::Declaration { reason };
    let mut notices = Vec::new();
    let trigger = match function.trigger {
        wit::Trigger::Tool(tool) => Trigger::Tool(
            self::tool(tool)
                .map_err(|reason| refuse(format!("the function `{name}`, whose {reason}")))?,
        ),
        wit::Trigger::Resource(_) => return Err(unserved(&name, "a resource")),
        wit::Trigger::Prompt(_) => return Err(unserved(&name, "a prompt")),
        wit::Trigger::App(_) => return Err(unserved(&name, "an app")),
    };
    let mut bindings: Vec<BindingDecl> = Vec::new();
    for declared in function.bindings {
        let binding = binding(declared)
            .map_err(|reason| refuse(format!("the function `{name}`, whose {reason}")))?;
        if bindings.iter().any(|other| other.name == binding.name) {
            return Err(refuse(format!(
                "the function `{name}` with two bindings `{}`",
                binding.name
            )));
        }
        bindings.push(binding);
    }
    let mut headers = Vec::new();
    for option in function.options {
        match option.name.as_str() {
            "headers" => {
                headers = self::headers(option.value)
                    .map_err(|reason| refuse(format!("the function `{name}`, whose {reason}")))?;
            }
            // The host would not do what the component counts on.
            "review" | "permission" | "decisions" | "card" | "modal" => {
                return Err(refuse(format!(
                    "the function `{name}` with the option `{}`, which needs the gate, and this version has none",
                    option.name
                )));
            }
            unknown => notices.push(format!(
                "the function `{name}` has the option `{unknown}`, which this version does not know"
            )),
        }
    }
    Ok(Declaration { name, trigger, bindings, headers, notices })
}

fn unserved(function: &str, what: &str) -> LoadError {
    LoadError::Declaration {
        reason: format!("the function `{function}` with {what} trigger (expected a tool trigger)"),
    }
}

fn tool(tool: wit::ToolTrigger) -> Result<ToolTrigger, String> {
    let name = tool.name;
    check_tool_name(&name)?;
    let input = match tool.input {
        wit::InputSchema::Properties(properties) => {
            Schema::from_properties(&properties.into_iter().map(property).collect::<Vec<_>>())
        }
        wit::InputSchema::Schema(text) => Schema::parse_input(text)
            .map_err(|error| format!("input schema cannot be used: {error}"))?,
    };
    let output = match tool.output_schema {
        None => None,
        Some(text) => Some(
            Schema::parse(text)
                .map_err(|error| format!("output schema cannot be used: {error}"))?,
        ),
    };
    Ok(ToolTrigger {
        title: tool.title,
        description: tool.description,
        input,
        output,
        annotations: object(tool.annotations, "annotations")?,
        icons: json(tool.icons, "icons")?,
        meta: object(tool.meta, "meta")?,
        task: match tool.task {
            wit::TaskSupport::Forbidden => TaskSupport::Forbidden,
            wit::TaskSupport::Optional => TaskSupport::Optional,
            wit::TaskSupport::Required => TaskSupport::Required,
            wit::TaskSupport::AfterInput => TaskSupport::AfterInput,
        },
        name,
    })
}

fn property(property: wit::ToolProperty) -> ToolProperty {
    ToolProperty {
        name: property.name,
        kind: match property.kind {
            wit::PropertyKind::String => PropertyKind::String,
            wit::PropertyKind::Number => PropertyKind::Number,
            wit::PropertyKind::Integer => PropertyKind::Integer,
            wit::PropertyKind::Boolean => PropertyKind::Boolean,
            wit::PropertyKind::Object => PropertyKind::Object,
        },
        description: property.description,
        required: property.required,
        array: property.array,
        enum_values: property.enum_values,
    }
}

fn binding(binding: wit::Binding) -> Result<BindingDecl, String> {
    let JsonValue::Object(config) = serde_json::from_str(&binding.config).map_err(|error| {
        format!("binding `{}` has a configuration that is not JSON: {error}", binding.name)
    })?
    else {
        return Err(format!(
            "binding `{}` has a configuration that is not a JSON object",
            binding.name
        ));
    };
    Ok(BindingDecl {
        name: binding.name,
        kind: binding.kind,
        direction: match binding.direction {
            wit::Direction::Input => Direction::Input,
            wit::Direction::Output => Direction::Output,
        },
        config,
        origin: Origin::Component,
    })
}

fn headers(value: wit::Value) -> Result<Vec<String>, String> {
    let (wit::Value::Json(text) | wit::Value::Text(text)) = value else {
        return Err("option `headers` is not a JSON array of names".to_owned());
    };
    let names: Vec<String> = serde_json::from_str(&text)
        .map_err(|_| "option `headers` is not a JSON array of names".to_owned())?;
    names
        .into_iter()
        .map(|name| match name.to_ascii_lowercase() {
            secret if SECRET_HEADERS.contains(&secret.as_str()) => {
                Err(format!("option `headers` names `{secret}`, which never reaches a guest"))
            }
            name => Ok(name),
        })
        .collect()
}

fn json(text: Option<String>, what: &str) -> Result<Option<Json>, String> {
    text.map(RawValue::from_string)
        .transpose()
        .map_err(|error| format!("{what} are not JSON: {error}"))
}

/// Read whole, not only as far as it is passed on: what counts on a hint must be able to find it.
fn object(text: Option<String>, what: &str) -> Result<Option<Json>, String> {
    if let Some(text) = &text {
        serde_json::from_str::<Map<String, JsonValue>>(text)
            .map_err(|error| format!("{what} are not a JSON object: {error}"))?;
    }
    json(text, what)
}

pub(super) fn invocation(invocation: &Invocation, inputs: Vec<Input>) -> wit::Invocation {
    wit::Invocation {
        id: invocation.id.as_str().to_owned(),
        function: invocation.function.name.clone(),
        entry: match &invocation.entry {
            Entry::Call => wit::Entry::Call,
            Entry::Complete { argument, value } => wit::Entry::Complete(wit::Completing {
                argument: argument.clone(),
                value: value.clone(),
            }),
        },
        arguments: invocation.arguments.get().to_owned(),
        inputs: inputs
            .into_iter()
            .map(|input| wit::Input { name: input.name, value: input.value.map(value_to_guest) })
            .collect(),
        resume: invocation.resume.as_ref().map(resumption),
        options: Vec::new(),
    }
}

fn resumption(resumption: &Resumption) -> wit::Resumption {
    let answer = |answer: &Answer| wit::Answer {
        key: answer.key.clone(),
        value: match &answer.value {
            AnswerValue::Accepted(json) => wit::AnswerValue::Accepted(json.get().to_owned()),
            AnswerValue::Declined => wit::AnswerValue::Declined,
            AnswerValue::Cancelled => wit::AnswerValue::Cancelled,
        },
    };
    wit::Resumption {
        state: resumption.state.clone(),
        answers: resumption.answers.iter().map(answer).collect(),
    }
}

fn value_to_guest(value: Value) -> wit::Value {
    match value {
        Value::Text(text) => wit::Value::Text(text),
        Value::Bytes(bytes) => wit::Value::Bytes(bytes),
        Value::Json(json) => wit::Value::Json(json),
    }
}

fn value_from_guest(value: wit::Value) -> Value {
    match value {
        wit::Value::Text(text) => Value::Text(text),
        wit::Value::Bytes(bytes) => Value::Bytes(bytes),
        wit::Value::Json(json) => Value::Json(json),
    }
}

pub(super) fn completion(
    answer: Result<wit::Completion, wit::Failure>,
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
    Ok(Completion { outcome: outcome(completion.outcome)?, outputs })
}

/// The guest returned more than one reply may have.
pub(super) fn too_large(limits: &Limits) -> GuestError {
    GuestError::Contract { reason: format!("more than the limit of {} MiB", limits.reply >> 20) }
}

fn outcome(outcome: wit::Outcome) -> Result<Outcome, GuestError> {
    let unfit = |what| GuestError::Contract { reason: format!("{what}, which a tool cannot") };
    Ok(match outcome {
        wit::Outcome::Nothing => Outcome::Nothing,
        wit::Outcome::Text(text) => Outcome::Text(text),
        wit::Outcome::Bytes(bytes) => Outcome::Bytes(bytes),
        wit::Outcome::Value(text) => Outcome::Value(guest_json(text)?),
        wit::Outcome::Reply(reply) => Outcome::Reply(self::reply(reply)?),
        wit::Outcome::Contents(_) => return Err(unfit("resource contents")),
        wit::Outcome::Messages(_) => return Err(unfit("prompt messages")),
        wit::Outcome::InputRequired(request) => Outcome::InputRequired(input_request(request)?),
        wit::Outcome::Suggestions(_) => return Err(unfit("suggestions")),
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
        wit::Block::Resource(resource) => Block::Resource(ResourceContents {
            uri: resource.uri,
            mime_type: resource.mime_type,
            body: match resource.body {
                wit::ResourceBody::Text(text) => ResourceBody::Text(text),
                wit::ResourceBody::Bytes(bytes) => ResourceBody::Bytes(bytes),
            },
            meta: resource.meta.map(guest_object).transpose()?,
        }),
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
