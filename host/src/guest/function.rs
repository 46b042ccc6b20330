//! The guest of one function: its component, its limits, and the instances that are kept for it.

use std::{pin::pin, sync::Arc};

use wasmtime::Store;

use super::{
    Component, Deadline, GuestError,
    bindings::mcpfn::function::types as wit,
    capability::context::Context,
    component::{Invoke, allow_one_call, new_store},
    convert,
    output::{Owner, Printed},
    state::State,
    warm::Pool,
};
use crate::function::{Completion, ComponentName, Function, Input, Invocation, Limits, Outcome};

/// One run: what an instance is given.
#[derive(Debug)]
pub struct Call<'a> {
    /// Who asks for what.
    pub invocation: &'a Arc<Invocation>,
    /// What the input bindings read, in declared order.
    pub inputs: Vec<Input>,
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

/// An instance, and what it has in the host.
pub(super) struct Live {
    store: Store<State>,
    /// What it is called by. None: it is still to be made.
    invoke: Option<Invoke>,
    printed: Printed,
    pub(super) n_uses: u32,
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
        let kept = self.warm.as_ref().and_then(|warm| warm.take(principal));
        let mut live = match kept {
            Some(mut live) => {
                live.begin(invocation, context, &self.limits);
                live
            }
            None => self.fresh(invocation, context)?,
        };
        let request = convert::invocation(invocation, call.inputs);
        let engine = self.component.engine();
        let _running = engine.running();
        // The epoch makes a busy guest yield, a host call waits on a timer or a socket: either way the
        // deadline's timer is polled, and the guest is dropped where it stands.
        let answer = {
            // In place: a future is several kilobytes, and each one that takes another as its own copies it.
            let answer = pin!(self.answer(&mut live, &request));
            let run = pin!(engine.turns().run(self.limits.cpu_time, answer));
            call.deadline.bound(run).await??
        };
        let answer = answer.map_err(|error| self.component.classify(error, &self.limits))?;
        let completion = convert::completion(answer, &self.limits)?;
        if let Some(warm) = &self.warm
            && !matches!(completion.outcome, Outcome::Failure(_))
        {
            live.end(self.component.name());
            warm.keep(principal, live);
        }
        Ok(completion)
    }

    fn fresh(&self, invocation: &Arc<Invocation>, context: Context) -> Result<Live, GuestError> {
        let pre = self.component.pre()?;
        let printed = Printed::new(Owner::Invocation(Arc::clone(invocation)), self.limits.log);
        let state = State::for_call(&self.limits, context, printed.clone());
        let store = new_store(pre, state, &self.limits);
        Ok(Live { store, invoke: None, printed, n_uses: 0 })
    }

    async fn answer(
        &self,
        live: &mut Live,
        request: &wit::Invocation,
    ) -> wasmtime::Result<Result<wit::Completion, wit::Failure>> {
        let Live { store, invoke, .. } = live;
        let invoke = match *invoke {
            Some(invoke) => invoke,
            None => *invoke.insert(self.component.pre()?.instantiate(store).await?),
        };
        let (answer,) = invoke.call_async(store, (request,)).await?;
        Ok(answer)
    }
}

impl Live {
    /// Another invocation: what belonged to the last one is gone, but for what the guest itself kept.
    fn begin(&mut self, invocation: &Arc<Invocation>, context: Context, limits: &Limits) {
        self.printed.begin(Owner::Invocation(Arc::clone(invocation)));
        self.store.data_mut().context = context;
        allow_one_call(&mut self.store, limits);
    }

    /// The invocation is over, and nothing of it is held any longer.
    fn end(&mut self, component: &Arc<ComponentName>) {
        self.printed.begin(Owner::Component(Arc::clone(component)));
        self.store.data_mut().context = Context::for_describe();
    }
}
