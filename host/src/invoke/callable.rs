//! A function made ready at load, so that a call looks nothing up.

use std::{collections::HashMap, sync::Arc};

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
    storage::{Containers, OpenStorage, Opening},
};
use crate::{
    binding::{
        BindingData, DeclarationError, FoundContent, InputBinding, OutputBinding, Registry, Scope,
        Seen, Target,
    },
    function::{Completion, ContainerDecl, Direction, Entry, Function, Input, Outcome, RETURN},
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
    inputs: Vec<NamedInput>,
    outputs: Arc<[NamedOutput]>,
    containers: Arc<Containers>,
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
    /// A container that cannot be opened.
    #[error("container `{name}`")]
    Container {
        /// The container.
        name: String,
        /// What is wrong.
        #[source]
        source: DeclarationError,
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
struct NamedInput {
    name: String,
    binding: Box<dyn InputBinding>,
}

/// An output of a function.
#[derive(Debug)]
pub(super) struct NamedOutput {
    pub(super) name: String,
    pub(super) binding: Box<dyn OutputBinding>,
    /// The input whose version has to be there still, by its place among the inputs.
    follows: Option<usize>,
}

/// Where the bindings of one invocation point to, in declared order. None: an optional argument is missing.
#[derive(Debug)]
pub(super) struct Places {
    inputs: Vec<Option<Target>>,
    outputs: Vec<Option<Target>>,
}

/// What the inputs of one invocation found, in declared order.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// For the guest.
    pub(super) inputs: Vec<Input>,
    /// What is there, for outputs that replace it.
    pub(super) seen: Vec<Seen>,
    openings: HashMap<String, Opening>,
}

/// What an invocation came to, and where it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'a> {
    pub(super) places: &'a Places,
    pub(super) seen: &'a [Seen],
    pub(super) completion: &'a Completion,
    pub(super) storage: Option<&'a OpenStorage>,
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
                    let binding = registry.input(declaration, &scope).map_err(wrap)?;
                    inputs.push(NamedInput { name: declaration.name.clone(), binding });
                }
                Direction::Output => {
                    let binding = registry.output(declaration, &scope).map_err(wrap)?;
                    outputs.push(NamedOutput {
                        name: declaration.name.clone(),
                        binding,
                        follows: None,
                    });
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
        for output in &mut outputs {
            let input = output.binding.follows();
            output.follows = inputs.iter().position(|other| Some(other.name.as_str()) == input);
        }
        let container = |declared: &ContainerDecl| {
            let opened = registry.container(declared);
            let source = |source| PrepareError::Container { name: declared.name.clone(), source };
            Ok((declared.name.clone(), opened.map_err(source)?))
        };
        let containers =
            function.containers.iter().map(container).collect::<Result<_, PrepareError>>()?;
        let max_arguments = function.limits.arguments;
        let output = function.tool().and_then(|tool| tool.output.as_ref());
        let call = Steps {
            arguments: Arguments::new(&function.trigger, max_arguments)
                .map_err(schema("input schema"))?,
            gate: Policy::of(function)?,
            queue: admission.queue(function),
            guest: Arc::new(Guest::new(component, function)),
            inputs,
            outputs: outputs.into(),
            containers: Arc::new(containers),
            result: output.map(Check::new).transpose().map_err(schema("output schema"))?,
        };
        let complete = Steps {
            // Those that are known already, which may be few and half typed.
            arguments: Arguments::unchecked(max_arguments),
            gate: call.gate,
            queue: Arc::clone(&call.queue),
            guest: Arc::clone(&call.guest),
            inputs: Vec::new(),
            outputs: Arc::new([]),
            // No binding is read or written: what code could reach itself is none either.
            containers: Arc::default(),
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
        let input = |named: &NamedInput| {
            named
                .binding
                .resolve(data)
                .map_err(|source| InvokeError::Input { name: named.name.clone(), source })
        };
        let output = |named: &NamedOutput| {
            named.binding.resolve(data).map_err(|error| named.failed(Vec::new(), error.into()))
        };
        Ok(Places {
            inputs: self.inputs.iter().map(input).collect::<Result<_, _>>()?,
            outputs: self.outputs.iter().map(output).collect::<Result<_, _>>()?,
        })
    }

    /// Reads every input, all at once.
    pub(super) async fn read(&self, places: &Places) -> Result<Read, InvokeError> {
        let read = self.inputs.iter().zip(&places.inputs).map(async |(named, place)| {
            let Some(place) = place else { return Ok::<_, InvokeError>((named, None)) };
            let span = telemetry::binding(&named.name, "in");
            let found = named.binding.read(place).instrument(span).await;
            let source = |source| InvokeError::Input { name: named.name.clone(), source };
            Ok((named, found.map_err(source)?))
        });
        let mut read_all = Read::default();
        for (named, found) in try_join_all(read).await? {
            let (value, opening, seen) = match found {
                None => (None, Some(Opening::Missing), Seen::Nothing),
                Some(found) => {
                    let seen = found.version.map_or(Seen::Unversioned, Seen::Version);
                    match found.content {
                        FoundContent::Whole(value) => (Some(value), None, seen),
                        FoundContent::Stream(download) => {
                            (None, Some(Opening::Ready(download)), seen)
                        }
                    }
                }
            };
            read_all.inputs.push(Input { name: named.name.clone(), value });
            read_all.seen.push(seen);
            if let Some(opening) = opening {
                read_all.openings.insert(named.name.clone(), opening);
            }
        }
        Ok(read_all)
    }

    /// What the guest may reach while it runs. None: its function declares nothing of the kind.
    pub(super) fn storage(&self, places: &Places, read: &mut Read) -> Option<Arc<OpenStorage>> {
        let has_streams = !read.openings.is_empty()
            || self.outputs.iter().any(|output| output.binding.stream().is_some());
        if !has_streams && self.containers.is_empty() {
            return None;
        }
        let openings = std::mem::take(&mut read.openings);
        let (outputs, targets) = (Arc::clone(&self.outputs), places.outputs.clone());
        let containers = Arc::clone(&self.containers);
        Some(Arc::new(OpenStorage::new(openings, outputs, targets, containers)))
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
        invocation: Written<'_>,
        deadline: Deadline,
    ) -> Result<(), InvokeError> {
        let Written { places, seen, completion, storage } = invocation;
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
            let bytes =
                output.bytes(completion).map_err(|error| output.failed(written.clone(), error))?;
            let seen = output.follows.map(|input| &seen[input]);
            let write = async {
                if let Some(storage) = storage
                    && storage.has_begun(&output.name)
                {
                    if bytes.is_some() {
                        return Err(OutputError::Twice);
                    }
                    return Ok(storage.complete(&output.name).await.map(|()| true)?);
                }
                let Some(bytes) = bytes else { return Ok(false) };
                let Some(place) = place else { return Err(OutputError::Unresolved) };
                output.binding.write(place, bytes, seen).await?;
                Ok(true)
            };
            let span = telemetry::binding(&output.name, "out");
            match deadline.bound(write.instrument(span)).await {
                Ok(Ok(true)) => written.push(output.name.clone()),
                Ok(Ok(false)) => {}
                Ok(Err(error)) => return Err(output.failed(written, error)),
                Err(timeout) => return Err(output.failed(written, OutputError::Deadline(timeout))),
            }
        }
        Ok(())
    }
}

impl NamedOutput {
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
