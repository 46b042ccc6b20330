//! The guest of one function: its component, its limits, and the instances that are kept for it.

use std::{pin::pin, sync::Arc};

use super::{
    Component, Deadline, GuestError, capability::context::Context, convert, live::Live, warm::Pool,
};
use crate::function::{Completion, Function, Input, Invocation, Limits, Outcome, Storage};

/// One run: what an instance is given.
#[derive(Debug)]
pub struct Call<'a> {
    /// Who asks for what.
    pub invocation: &'a Arc<Invocation>,
    /// What the input bindings read, in declared order.
    pub inputs: Vec<Input>,
    /// What it may reach while it runs, where it declares that.
    pub storage: Option<Arc<dyn Storage>>,
    /// When it has to have answered.
    pub deadline: Deadline,
}

/// The guest of one function.
#[derive(Debug)]
pub struct Guest {
    component: Arc<Component>,
    limits: Limits,
    warm: Option<Pool>,
}

impl Guest {
    /// The guest of a function, which the component has.
    pub fn new(component: Arc<Component>, function: &Function) -> Self {
        let warm = function.warm.map(|warm| Pool::new(warm, Arc::clone(component.engine().warm())));
        Self { component, limits: function.limits, warm }
    }

    /// Runs the function: in a fresh instance, or in one that served the same caller before where such are
    /// kept. Dropping the future ends the guest at its next tick.
    pub async fn invoke(&self, call: Call<'_>) -> Result<Completion, GuestError> {
        let invocation = call.invocation;
        let principal = invocation.caller.principal.as_deref();
        let context = Context::for_call(Arc::clone(invocation), call.deadline.at());
        let linkage = self.component.linkage()?;
        let kept = self.warm.as_ref().and_then(|warm| warm.take(principal));
        let mut live = match kept {
            Some(mut live) => {
                live.begin(invocation, context, &self.limits);
                live
            }
            None => Live::new(linkage, invocation, context, &self.limits),
        };
        live.give(call.storage);
        let request = convert::invocation(invocation, call.inputs);
        let engine = self.component.engine();
        let _running = engine.running();
        // The epoch makes a busy guest yield, a host call waits on a timer or a socket: either way the
        // deadline's timer is polled, and the guest is dropped where it stands.
        let answer = {
            // In place: a future is several kilobytes, and each one that takes another as its own copies it.
            let answer = pin!(live.invoke(linkage, &request));
            let run = pin!(engine.turns().run(self.limits.cpu_time, answer));
            call.deadline.bound(run).await??
        };
        let answer = answer.map_err(|error| self.component.classify(error, &self.limits))?;
        let completion = convert::completion(answer, invocation, &self.limits)?;
        if let Some(warm) = &self.warm
            && !matches!(completion.outcome, Outcome::Failure(_))
        {
            live.end(self.component.name());
            warm.keep(principal, live);
        }
        Ok(completion)
    }
}
