//! A function made ready at load, so that a call looks nothing up.

use std::sync::Arc;

use futures_util::future::try_join_all;
use serde_json::Value as JsonValue;
use thiserror::Error;
use tracing::Instrument;

use super::{
    Admission, InvokeError, OutputError,
    admission::Queue,
    answer::check_forms,
    arguments::Arguments,
    check::{Check, TooLong},
    outputs,
};
use crate::{
    binding::{
        BindingData, DeclarationError, InputBinding, OutputBinding, Registry, Scope, Target,
    },
    function::{BindingDecl, Completion, Direction, Entry, Function, Input, Outcome, RETURN},
    gate::{NeedsGate, Policy},
    guest::{Component, Deadline, Guest},
    schema_error::{self, Values},
    telemetry,
};

/// All that an invocation of one function needs, for each entry that it has.
#[derive(Debug)]
pub struct Callable {
    call: Steps,
    complete: Steps,
}

/// What the steps of an invocation need.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) arguments: Arguments,
    pub(super) gate: Policy,
    pub(super) queue: Arc<Queue>,
    pub(super) guest: Arc<Guest>,
    inputs: Vec<Named<Box<dyn InputBinding>>>,
    outputs: Vec<Named<Box<dyn OutputBinding>>>,
    result: Option<Check>,
}

/// Why a function cannot be made ready.
#[derive(Debug, Error)]
pub enum PrepareError {
    /// The gate would have to ask or deny.
    #[error(transparent)]
    Gate(#[from] NeedsGate),
    /// A schema that does not compile.
    #[error("the {which} cannot be used: {reason}")]
    Schema {
        /// `input schema` or `output schema`.
        which: &'static str,
        /// What is wrong, and where in the schema.
        reason: String,
    },
    /// A binding that cannot work.
    #[error("binding `{name}`")]
    Binding {
        /// The binding.
        name: String,
        /// Its position among the function's bindings.
        index: usize,
        /// What is wrong.
        #[source]
        source: DeclarationError,
    },
}

#[derive(Debug)]
struct Named<T> {
    name: String,
    binding: T,
}

/// Where the bindings of one invocation point to, in declared order. None: an optional argument is missing.
#[derive(Debug)]
pub(super) struct Places {
    inputs: Vec<Option<Target>>,
    outputs: Vec<Option<Target>>,
}

impl Callable {
    /// Compiles the schemas and makes the bindings of a function. `notices` gets what a person should know of them.
    pub fn new(
        function: &Function,
        component: Arc<Component>,
        registry: &Registry,
        admission: &Admission,
        notices: &mut Vec<String>,
    ) -> Result<Self, PrepareError> {
        let schema = |which| move |reason| PrepareError::Schema { which, reason };
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (index, declaration) in function.bindings.iter().enumerate() {
            let wrap =
                |source| PrepareError::Binding { name: declaration.name.clone(), index, source };
            let scope = Scope::of(function, declaration.direction);
            match declaration.direction {
                Direction::Input if declaration.name == RETURN => {
                    let reason = "what the function returns can only be an output".to_owned();
                    return Err(wrap(DeclarationError::Config { key: "name".to_owned(), reason }));
                }
                Direction::Input => {
                    inputs.push(named(
                        declaration,
                        registry.input(declaration, &scope).map_err(wrap)?,
                    ));
                }
                Direction::Output => {
                    outputs.push(named(
                        declaration,
                        registry.output(declaration, &scope).map_err(wrap)?,
                    ));
                }
            }
            let name = &declaration.name;
            notices.extend(
                scope
                    .into_notices()
                    .into_iter()
                    .map(|notice| format!("binding `{name}`: {notice}")),
            );
        }
        let max_arguments = function.limits.arguments;
        let output = function.tool().and_then(|tool| tool.output.as_ref());
        let call = Steps {
            arguments: Arguments::new(&function.trigger, max_arguments)
                .map_err(schema("input schema"))?,
            gate: Policy::of(function)?,
            queue: admission.queue(function),
            guest: Arc::new(Guest::new(component, function)),
            inputs,
            outputs,
            result: output.map(Check::new).transpose().map_err(schema("output schema"))?,
        };
        let complete = Steps {
            // Those that are known already, which may be few and half typed.
            arguments: Arguments::unchecked(max_arguments),
            gate: call.gate,
            queue: Arc::clone(&call.queue),
            guest: Arc::clone(&call.guest),
            inputs: Vec::new(),
            outputs: Vec::new(),
            result: None,
        };
        Ok(Self { call, complete })
    }

    /// What the steps of this entry need.
    pub(super) fn for_entry(&self, entry: &Entry) -> &Steps {
        match entry {
            Entry::Call => &self.call,
            Entry::Complete { .. } => &self.complete,
        }
    }
}

impl Steps {
    /// Resolves every path, so that a hostile argument is met before anything is read or run.
    pub(super) fn resolve(&self, data: &BindingData<'_>) -> Result<Places, InvokeError> {
        let input = |named: &Named<Box<dyn InputBinding>>| {
            named
                .binding
                .resolve(data)
                .map_err(|source| InvokeError::Input { name: named.name.clone(), source })
        };
        let output = |named: &Named<Box<dyn OutputBinding>>| {
            named.binding.resolve(data).map_err(|error| named.failed(Vec::new(), error.into()))
        };
        Ok(Places {
            inputs: self.inputs.iter().map(input).collect::<Result<_, _>>()?,
            outputs: self.outputs.iter().map(output).collect::<Result<_, _>>()?,
        })
    }

    /// Reads every input, all at once.
    pub(super) async fn read(&self, places: &Places) -> Result<Vec<Input>, InvokeError> {
        let read = self.inputs.iter().zip(&places.inputs).map(async |(named, place)| {
            let value =
                match place {
                    None => None,
                    Some(place) => {
                        let span = telemetry::binding(&named.name, "in");
                        named.binding.read(place).instrument(span).await.map_err(|source| {
                            InvokeError::Input { name: named.name.clone(), source }
                        })?
                    }
                };
            Ok(Input { name: named.name.clone(), value })
        });
        try_join_all(read).await
    }

    /// Checks structured content against the output schema, since clients drop a result that does not fit; and forms,
    /// since no client could answer a broken one.
    pub(super) async fn check(&self, outcome: &Outcome) -> Result<(), InvokeError> {
        if let Outcome::InputRequired(request) = outcome {
            return check_forms(request).map_err(|(key, reason)| InvokeError::Form { key, reason });
        }
        let Some(check) = &self.result else { return Ok(()) };
        if outputs::unfinished(outcome) {
            return Ok(());
        }
        let misfit = |path: &str, reason: String| InvokeError::Result {
            path: if path.is_empty() { "/" } else { path }.to_owned(),
            reason,
        };
        let structured = match outcome {
            Outcome::Value(json) => Some(json),
            Outcome::Reply(reply) => reply.structured.as_ref(),
            _ => None,
        };
        let Some(structured) = structured else {
            return Err(misfit("", "has no structured content".to_owned()));
        };
        let value: JsonValue = serde_json::from_str(structured.get())
            .map_err(|error| misfit("", format!("cannot be read ({error})")))?;
        let judged = check.run(value, |validator, value| {
            let error = validator.validate(value).err()?;
            Some((error.instance_path().to_string(), schema_error::reason(&error, Values::Hidden)))
        });
        match judged.await {
            Ok((_, None)) => Ok(()),
            Ok((_, Some((path, reason)))) => Err(misfit(&path, reason)),
            Err(TooLong) => Err(misfit("", "takes too long to be checked".to_owned())),
        }
    }

    /// Writes what the function set and returned, in declared order; the first failure ends it.
    pub(super) async fn write(
        &self,
        places: &Places,
        completion: &Completion,
        deadline: Deadline,
    ) -> Result<(), InvokeError> {
        if outputs::unfinished(&completion.outcome) {
            return Ok(());
        }
        let mut written = Vec::new();
        let declared =
            |name: &str| name != RETURN && self.outputs.iter().any(|output| output.name == name);
        if let Some(stray) = completion.outputs.iter().find(|output| !declared(&output.name)) {
            return Err(InvokeError::Output {
                name: stray.name.clone(),
                written,
                source: OutputError::Undeclared,
            });
        }
        for (output, place) in self.outputs.iter().zip(&places.outputs) {
            let Some(bytes) =
                output.bytes(completion).map_err(|error| output.failed(written.clone(), error))?
            else {
                continue;
            };
            let Some(place) = place else {
                return Err(output.failed(written, OutputError::Unresolved));
            };
            let span = telemetry::binding(&output.name, "out");
            let write = output.binding.write(place, bytes).instrument(span);
            match deadline.bound(write).await {
                Ok(Ok(())) => written.push(output.name.clone()),
                Ok(Err(error)) => return Err(output.failed(written, error.into())),
                Err(timeout) => return Err(output.failed(written, OutputError::Deadline(timeout))),
            }
        }
        Ok(())
    }
}

impl Named<Box<dyn OutputBinding>> {
    fn bytes<'a>(&self, completion: &'a Completion) -> Result<Option<&'a [u8]>, OutputError> {
        if self.name == RETURN {
            return outputs::returned(&completion.outcome);
        }
        // The last one set wins.
        let set = completion.outputs.iter().rev().find(|output| output.name == self.name);
        Ok(set.map(|output| output.value.as_bytes()))
    }

    fn failed(&self, written: Vec<String>, source: OutputError) -> InvokeError {
        InvokeError::Output { name: self.name.clone(), written, source }
    }
}

fn named<T>(declaration: &BindingDecl, binding: T) -> Named<T> {
    Named { name: declaration.name.clone(), binding }
}
