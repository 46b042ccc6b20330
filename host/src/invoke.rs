//! The path of every invocation: validate, gate, inputs, guest, result, outputs.
//!
//! No caller can skip a step: `protocol`, `cli` and every later way in only build an
//! [`Invocation`] and map what it came to.

mod admission;
mod answer;
mod arguments;
mod callable;
mod check;
mod error;
mod outputs;
mod record;
mod storage;

pub use self::{
    admission::Admission,
    answer::check_answer,
    arguments::ArgumentsError,
    callable::{Callable, PrepareError},
    error::{InvokeError, OutputError},
};

use std::{pin::pin, sync::Arc, time::Instant};

use tracing::Instrument;

use self::{callable::Written, record::Record};
use crate::{
    binding::BindingData,
    function::{Invocation, Outcome},
    guest::{Call, Deadline},
    telemetry,
};

/// Runs functions.
#[derive(Debug)]
pub struct Invoker {
    callables: Vec<Arc<Callable>>,
    admission: Arc<Admission>,
}

impl Invoker {
    /// `callables` in the order of the catalog.
    pub fn new(callables: Vec<Arc<Callable>>, admission: Arc<Admission>) -> Self {
        Self { callables, admission }
    }

    /// What it runs, in the order of the catalog.
    pub fn callables(&self) -> &[Arc<Callable>] {
        &self.callables
    }

    /// Runs one function and writes the one line of it to the log. Dropping the future ends it.
    pub async fn invoke(&self, invocation: &Arc<Invocation>) -> Result<Outcome, InvokeError> {
        let started = Instant::now();
        let span = telemetry::invocation(invocation.id.as_str(), &invocation.function.name);
        let record = Record::begin(invocation, started, span.clone());
        // In place, here and below: these futures are kilobytes, and each one that takes another copies it.
        let run = pin!(self.run(invocation, started));
        let result = run.instrument(span).await;
        record.end(&result);
        result
    }

    async fn run(
        &self,
        invocation: &Arc<Invocation>,
        started: Instant,
    ) -> Result<Outcome, InvokeError> {
        let callable = self.callables[invocation.function.index].for_entry(&invocation.entry);
        let deadline = Deadline::after(started, invocation.function.limits.time);

        let arguments = {
            let validate = pin!(callable.arguments.validate(&invocation.arguments));
            deadline.bound(validate).await??
        };
        callable.gate.pass(invocation);
        let places = callable.resolve(&BindingData::new(invocation, &arguments))?;
        // From here on to its end an invocation can hold megabytes.
        let _permit = self.admission.enter(&callable.queue, deadline).await?;
        let mut read = deadline.bound(callable.read(&places)).await??;
        let storage = callable.storage(&places, &mut read);
        let call = Call {
            invocation,
            inputs: std::mem::take(&mut read.inputs),
            storage: storage.clone().map(|storage| storage as _),
            deadline,
        };
        let completion = {
            let guest = pin!(callable.guest.invoke(call));
            guest.instrument(telemetry::guest()).await?
        };
        deadline.bound(callable.check(&completion.outcome)).await??;
        let storage = storage.as_deref();
        let written =
            Written { places: &places, seen: &read.seen, completion: &completion, storage };
        callable.write(written, deadline).await?;
        Ok(completion.outcome)
    }
}
