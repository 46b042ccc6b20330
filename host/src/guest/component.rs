//! A loaded component: compiled, linked, checked; from then on a factory of instances.

use std::{sync::Arc, time::Duration};

use wasmtime::{Store, UpdateDeadline, component::types::ComponentItem};

use super::{
    Cache, Engine, GuestError, LoadError,
    bindings::FunctionPre,
    cache::{Compiled, Description},
    concurrent::needs_concurrency,
    convert,
    engine::Linked,
    fair::{self, FIRST_SLICE},
    limits::{OutOfMemory, TablesFull},
    output::{Owner, Printed},
    state::State,
};
use crate::function::{ComponentName, Declaration, Limits};

/// The interface that every component of ours exports.
const HANDLER: &str = "mcpfn:function/handler@0.1.0";

/// What a reply may have around its content, in the terms of the engine's own limit.
const HOSTCALL_HEADROOM: usize = 4 << 20;

/// How long a component may take to describe its functions.
const DESCRIBE_TIMEOUT: Duration = Duration::from_secs(10);

/// What the answer of a component that describes itself may have, in the terms of the engine's own limit.
const DESCRIBE_SIZE: usize = 36 << 20;

/// A component's file.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    /// What it is called in messages.
    pub name: Arc<ComponentName>,
    /// Its bytes.
    pub wasm: &'a [u8],
    /// The hash of its bytes.
    pub content: blake3::Hash,
}

/// A component, ready to be instantiated.
pub struct Component {
    name: Arc<ComponentName>,
    engine: Arc<Engine>,
    pre: FunctionPre<State>,
    /// What its first instance took until it had described itself.
    memory: usize,
}

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Component").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Component {
    /// Compiles, links, and asks the component for its functions, all but the linking only if the cache does not
    /// know it; `compiling` is told before what takes time. It is asked within `limits`.
    ///
    /// Compiling blocks, for seconds if the component is large: keep it off the threads that serve.
    pub async fn load(
        engine: &Arc<Engine>,
        cache: &Cache,
        source: &Source<'_>,
        limits: &Limits,
        compiling: impl FnOnce(),
    ) -> Result<(Self, Vec<Declaration>), LoadError> {
        let mut linked = engine.plain();
        let mut found = cache.find(&linked.engine, &source.content);
        if found.is_none() && needs_concurrency(source.wasm) {
            linked = engine.concurrent()?;
            found = cache.find(&linked.engine, &source.content);
        }
        let compiled = if let Some(found) = found {
            found
        } else {
            compiling();
            cache.compile(&linked.engine, source.wasm, &source.content)?
        };
        let Compiled { component, description, code } = compiled;
        let mut component = Self::link(engine, linked, &component, Arc::clone(&source.name))?;
        let description = if let Some(description) = description {
            description
        } else {
            let description = component.describe(limits).await?;
            if let Some(code) = code {
                cache.keep(&linked.engine, &source.content, &code, &description);
            }
            description
        };
        component.memory = description.memory;
        let functions = description.functions.into_iter();
        let declarations = functions.map(convert::declaration).collect::<Result<_, _>>()?;
        Ok((component, declarations))
    }

    fn link(
        engine: &Arc<Engine>,
        linked: &Linked,
        component: &wasmtime::component::Component,
        name: Arc<ComponentName>,
    ) -> Result<Self, LoadError> {
        let exports = component.component_type();
        let ours = exports.exports(&linked.engine).any(|(name, item)| {
            name == HANDLER && matches!(item.ty, ComponentItem::ComponentInstance(_))
        });
        if !ours {
            return Err(LoadError::NothingOfOurs);
        }
        let pre = linked.linker.instantiate_pre(component).map_err(LoadError::Link)?;
        let pre = FunctionPre::new(pre).map_err(LoadError::Link)?;
        Ok(Self { name, engine: Arc::clone(engine), pre, memory: 0 })
    }

    /// What it is called in messages.
    pub fn name(&self) -> &Arc<ComponentName> {
        &self.name
    }

    /// Whether an instance fits into these limits at all.
    pub fn fits(&self, limits: &Limits) -> Result<(), LoadError> {
        if self.memory > limits.memory { Err(initial_memory(limits.memory)) } else { Ok(()) }
    }

    /// Asks the component for its functions, in an instance that reaches nothing. The answer depends on no limit:
    /// an instance that meets one gives none.
    async fn describe(&self, limits: &Limits) -> Result<Description, LoadError> {
        let printed = Printed::new(Owner::Component(Arc::clone(&self.name)), limits.log);
        let _running = self.engine.running();
        let mut store = self.store(State::for_describe(limits, printed), limits);
        store.set_hostcall_fuel(DESCRIBE_SIZE);
        let described = tokio::time::timeout(DESCRIBE_TIMEOUT, async {
            let instance = self.pre.instantiate_async(&mut store).await?;
            instance.mcpfn_function_handler().call_describe(&mut store).await
        });
        match described.await {
            Ok(Ok(functions)) => {
                Ok(Description { memory: store.data().limiter.memory(), functions })
            }
            Ok(Err(error)) => Err(match self.classify(error, limits) {
                GuestError::OutOfMemory { limit } => initial_memory(limit),
                error => LoadError::Describe(error),
            }),
            Err(_) => Err(LoadError::Describe(GuestError::Timeout(DESCRIBE_TIMEOUT))),
        }
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(super) fn pre(&self) -> &FunctionPre<State> {
        &self.pre
    }

    /// A store for one instance.
    pub(super) fn store(&self, state: State, limits: &Limits) -> Store<State> {
        let mut store = Store::new(self.pre.engine(), state);
        store.limiter(|state| &mut state.limiter);
        store.epoch_deadline_callback(|_| Ok(UpdateDeadline::YieldCustom(1, fair::end_slice())));
        store.set_max_component_handles(limits.handles);
        allow_one_call(&mut store, limits);
        store
    }

    /// Tells apart what the engine reports as one kind of error.
    pub(super) fn classify(&self, error: wasmtime::Error, limits: &Limits) -> GuestError {
        if let Some(out_of_memory) = error.downcast_ref::<OutOfMemory>() {
            return GuestError::OutOfMemory { limit: out_of_memory.limit };
        }
        if let Some(full) = error.downcast_ref::<TablesFull>() {
            return GuestError::TablesFull { limit: full.limit };
        }
        if let Some(wasmtime::Trap::StackOverflow) = error.downcast_ref() {
            return GuestError::StackOverflow { limit: self.engine.stack() };
        }
        if error.downcast_ref::<wasmtime_wasi::I32Exit>().is_some() {
            return GuestError::Exit;
        }
        // For these the engine has no public types.
        let cause = error.root_cause().to_string();
        if cause.contains("hostcalls has been exhausted") {
            return convert::too_large(limits);
        }
        if cause.contains("resource table has no free keys") || cause.contains("store handle limit")
        {
            return GuestError::TooManyHandles { limit: limits.handles };
        }
        GuestError::Trap(error)
    }
}

/// Gives an instance what it may use up in one call.
pub(super) fn allow_one_call(store: &mut Store<State>, limits: &Limits) {
    store.set_epoch_deadline(FIRST_SLICE.into());
    // Before anything is copied out of the guest: the limit on a reply comes after that.
    store.set_hostcall_fuel(limits.reply + HOSTCALL_HEADROOM);
}

fn initial_memory(limit: usize) -> LoadError {
    LoadError::InitialMemory { limit, setting: Limits::MEMORY_SETTING }
}
