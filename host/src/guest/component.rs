//! A loaded component: compiled, linked, checked; from then on a factory of instances.

use std::{sync::Arc, time::Duration};

use wasmtime::{Store, component::types::ComponentItem};

use super::{
    Cache, Deadline, Engine, GuestError, Limits, LoadError,
    bindings::{FunctionPre, mcpfn::function::types as wit},
    capability::context::Context,
    convert,
    limits::OutOfMemory,
    output::Printed,
    state::State,
};
use crate::function::{Completion, ComponentName, Declaration, Input, Invocation};

/// The interface that every component of ours exports.
const HANDLER: &str = "mcpfn:function/handler@0.1.0";

/// What a reply may have around its content, in the terms of the engine's own limit.
const HOSTCALL_HEADROOM: usize = 4 << 20;

/// How long a component may take to describe its functions.
const DESCRIBE_TIMEOUT: Duration = Duration::from_secs(10);

/// One run: what a fresh instance is given.
#[derive(Debug)]
pub struct Call<'a> {
    /// Who asks for what.
    pub invocation: &'a Arc<Invocation>,
    /// What the input bindings read, in declared order.
    pub inputs: Vec<Input>,
    /// When it has to have answered.
    pub deadline: Deadline,
}

/// A component, ready to be instantiated.
pub struct Component {
    name: Arc<ComponentName>,
    pre: FunctionPre<State>,
    limits: Limits,
}

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Component").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Component {
    /// Compiles, unless the cache has it, and links. Takes seconds for a large component: keep it off
    /// the threads that serve.
    pub fn load(
        engine: &Engine,
        cache: &Cache,
        name: Arc<ComponentName>,
        wasm: &[u8],
        limits: Limits,
    ) -> Result<Self, LoadError> {
        let component = cache.load(engine, wasm)?;
        let exports = component.component_type();
        let ours = exports.exports(engine.inner()).any(|(name, item)| {
            name == HANDLER && matches!(item.ty, ComponentItem::ComponentInstance(_))
        });
        if !ours {
            return Err(LoadError::NothingOfOurs);
        }
        let pre = engine.linker().instantiate_pre(&component).map_err(LoadError::Link)?;
        Ok(Self { name, pre: FunctionPre::new(pre).map_err(LoadError::Link)?, limits })
    }

    /// What it is called in messages.
    pub fn name(&self) -> &Arc<ComponentName> {
        &self.name
    }

    /// Asks the component for its functions, in an instance that reaches nothing.
    pub async fn describe(&self) -> Result<Vec<Declaration>, LoadError> {
        let printed = Printed::new(&self.name.0, None);
        let mut store = self.store(State::for_describe(self.limits, &printed));
        let described = tokio::time::timeout(DESCRIBE_TIMEOUT, async {
            let instance = self.pre.instantiate_async(&mut store).await?;
            instance.mcpfn_function_handler().call_describe(&mut store).await
        });
        let functions = match described.await {
            Ok(Ok(functions)) => functions,
            Ok(Err(error)) => {
                return Err(match self.classify(error) {
                    GuestError::OutOfMemory { limit } => {
                        LoadError::InitialMemory { limit, setting: Limits::MEMORY_SETTING }
                    }
                    error => LoadError::Describe(error),
                });
            }
            Err(_) => return Err(LoadError::Describe(GuestError::Timeout(DESCRIBE_TIMEOUT))),
        };
        functions.into_iter().map(convert::declaration).collect()
    }

    /// Runs one function in an instance of its own.
    ///
    /// Dropping the future ends the guest at its next tick.
    pub async fn invoke(&self, call: Call<'_>) -> Result<Completion, GuestError> {
        let invocation = call.invocation;
        let printed = Printed::new(&invocation.function.tool().name, Some(invocation.id.as_str()));
        let context = Context::for_call(Arc::clone(invocation), call.deadline.at());
        let mut store = self.store(State::for_call(self.limits, context, &printed));
        let request = convert::invocation(invocation, call.inputs);
        // The epoch makes a busy guest yield, a host call waits on a timer or a socket: either way the
        // deadline's timer is polled, and the guest is dropped where it stands.
        let answer = call.deadline.bound(self.answer(&mut store, &request)).await?;
        convert::completion(answer.map_err(|error| self.classify(error))?, self.limits)
    }

    async fn answer(
        &self,
        store: &mut Store<State>,
        request: &wit::Invocation,
    ) -> wasmtime::Result<Result<wit::Completion, wit::Failure>> {
        let instance = self.pre.instantiate_async(&mut *store).await?;
        instance.mcpfn_function_handler().call_invoke(store, request).await
    }

    /// Tells apart what the engine reports as one kind of error.
    fn classify(&self, error: wasmtime::Error) -> GuestError {
        if let Some(out_of_memory) = error.downcast_ref::<OutOfMemory>() {
            return GuestError::OutOfMemory { limit: out_of_memory.limit };
        }
        if error.downcast_ref::<wasmtime_wasi::I32Exit>().is_some() {
            return GuestError::Exit;
        }
        // The engine's own type for it is private.
        if error.root_cause().to_string().contains("hostcalls has been exhausted") {
            return convert::too_large(self.limits);
        }
        GuestError::Trap(error)
    }

    fn store(&self, state: State) -> Store<State> {
        let mut store = Store::new(self.pre.engine(), state);
        store.limiter(|state| &mut state.limiter);
        store.epoch_deadline_async_yield_and_update(1);
        store.set_epoch_deadline(1);
        // Before anything is copied out of the guest: the limit on a reply comes after that.
        store.set_hostcall_fuel(self.limits.reply + HOSTCALL_HEADROOM);
        store
    }
}
