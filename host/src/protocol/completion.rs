//! `completion/complete`: values for an argument that is being typed, for both eras.

#[cfg(test)]
mod tests;

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    Protocol, Reply, error::ProtocolError, framed::Framed, jsonrpc::Request, raw, revision::Era,
};
use crate::function::{
    Caller, Catalog, Entry, Function, Invocation, Json, Outcome, Suggestions, Trigger,
};

/// The most values of one answer (server/utilities/completion).
const MAX_VALUES: usize = 100;

/// The params of a completion.
#[derive(Debug)]
pub(super) struct Complete<'a> {
    reference: Reference<'a>,
    argument: Cow<'a, str>,
    value: Cow<'a, str>,
    /// The arguments that are known already, an object.
    known: Option<&'a RawValue>,
}

/// Whose argument it is.
#[derive(Debug)]
enum Reference<'a> {
    /// The name of a prompt.
    Prompt(Cow<'a, str>),
    /// A URI or a template, as it is listed.
    Resource(Cow<'a, str>),
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "ref")]
    reference: Option<&'a RawValue>,
    #[serde(borrow)]
    argument: Option<&'a RawValue>,
    #[serde(borrow)]
    context: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ReferenceParams<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    uri: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ArgumentParams<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    value: Option<&'a RawValue>,
}

/// The members of `CompleteResult`.
#[derive(Serialize)]
struct Completion<'a> {
    completion: Suggested<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Suggested<'a> {
    values: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    has_more: bool,
}

impl<'a> Complete<'a> {
    /// Reads the params.
    pub(super) fn parse(params: &'a str) -> Result<Self, ProtocolError> {
        let Some(Params { reference, argument, context }) = raw::object(params) else {
            return Err(ProtocolError::Params("`ref`, `argument` or `context` comes twice"));
        };
        let reference: Option<ReferenceParams<'_>> =
            reference.and_then(|reference| raw::object(reference.get()));
        let reference = reference.ok_or(ProtocolError::Params("`ref` must be an object"))?;
        let kind = reference.kind.and_then(raw::string);
        let reference = match kind.as_deref() {
            Some("ref/prompt") => Reference::Prompt(
                text(reference.name).ok_or(ProtocolError::Params("`ref.name` must be a string"))?,
            ),
            Some("ref/resource") => Reference::Resource(
                text(reference.uri).ok_or(ProtocolError::Params("`ref.uri` must be a string"))?,
            ),
            _ => {
                return Err(ProtocolError::Params(
                    "`ref.type` must be `ref/prompt` or `ref/resource`",
                ));
            }
        };
        let argument: Option<ArgumentParams<'_>> =
            argument.and_then(|argument| raw::object(argument.get()));
        let argument = argument.ok_or(ProtocolError::Params("`argument` must be an object"))?;
        let known = context.and_then(|context| raw::member(context.get(), "arguments"));
        if known.is_some_and(|known| !known.get().starts_with('{')) {
            return Err(ProtocolError::Params("`context.arguments` must be an object"));
        }
        Ok(Self {
            reference,
            argument: text(argument.name)
                .ok_or(ProtocolError::Params("`argument.name` must be a string"))?,
            value: text(argument.value)
                .ok_or(ProtocolError::Params("`argument.value` must be a string"))?,
            known,
        })
    }

    /// Finds the function whose argument it is, and the arguments that are known already. None: the function
    /// suggests nothing for this one.
    fn function<'c>(
        &self,
        catalog: &'c Catalog,
    ) -> Result<Option<(&'c Arc<Function>, Json)>, ProtocolError> {
        let function = match &self.reference {
            Reference::Prompt(name) => {
                catalog.prompt(name).ok_or_else(|| ProtocolError::Prompt(name.to_string()))?
            }
            Reference::Resource(uri) => {
                catalog.template(uri).ok_or_else(|| ProtocolError::Template(uri.to_string()))?
            }
        };
        let argument = self.argument.as_ref();
        if !function.trigger.input().properties().any(|(name, _)| name == argument) {
            return Err(ProtocolError::Argument {
                argument: argument.to_owned(),
                of: function.trigger.name().to_owned(),
            });
        }
        let completes = match &function.trigger {
            Trigger::Prompt(prompt) => {
                prompt.argument(argument).is_some_and(|known| known.completes)
            }
            Trigger::Resource(resource) => resource.completes.iter().any(|name| name == argument),
            Trigger::Tool(_) => false,
        };
        Ok(completes.then(|| (function, raw::arguments(self.known))))
    }

    fn entry(&self) -> Entry {
        Entry::Complete { argument: self.argument.to_string(), value: self.value.to_string() }
    }
}

/// Answers `completion/complete`.
pub(super) async fn complete(
    protocol: &Protocol,
    request: &Request<'_>,
    era: Era,
    complete: &Complete<'_>,
    caller: impl FnOnce(&Function) -> Caller,
) -> Result<Reply, ProtocolError> {
    let outcome = match complete.function(protocol.host.catalog())? {
        None => Outcome::Nothing,
        Some((function, known)) => {
            let call = Invocation::new(Arc::clone(function), known, caller(function));
            let invocation = Arc::new(Invocation { entry: complete.entry(), ..call });
            match protocol.host.invoke(&invocation).await {
                Ok(outcome) => outcome,
                Err(error) => return Err(ProtocolError::invoke(&error, &invocation)),
            }
        }
    };
    let completion = completion(&outcome)?;
    Ok(request.reply(Framed::new(era, completion, &protocol.server)))
}

/// What a function suggested, as far as one answer holds it.
fn completion(outcome: &Outcome) -> Result<Completion<'_>, ProtocolError> {
    let Suggestions { values, total, more } = match outcome {
        Outcome::Nothing => {
            let none = Suggested { values: &[], total: None, has_more: false };
            return Ok(Completion { completion: none });
        }
        Outcome::Suggestions(suggestions) => suggestions,
        Outcome::Failure(failure) => return Err(ProtocolError::Function(failure.message.clone())),
        _ => return Err(ProtocolError::Internal),
    };
    let sent = &values[..values.len().min(MAX_VALUES)];
    let is_cut = sent.len() < values.len();
    let total = match total {
        Some(total) => usize::try_from(*total).ok(),
        // All that there are were given.
        None if is_cut && !more => Some(values.len()),
        None => None,
    };
    Ok(Completion { completion: Suggested { values: sent, total, has_more: *more || is_cut } })
}

fn text(value: Option<&RawValue>) -> Option<Cow<'_, str>> {
    value.and_then(raw::string)
}
