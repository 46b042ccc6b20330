//! What a guest is asked.

use crate::{
    function::{Answer, AnswerValue, Entry, Input, Invocation, Resumption, Value},
    guest::bindings::mcpfn::function::types as wit,
};

pub(in crate::guest) fn invocation(invocation: &Invocation, inputs: Vec<Input>) -> wit::Invocation {
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
