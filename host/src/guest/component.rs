//! A loaded component: compiled, linked, checked; from then on a factory of instances.

use std::{
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use wasmtime::{
    Store, UpdateDeadline,
    component::{ComponentExportIndex, InstancePre, TypedFunc, types::ComponentItem},
};

use super::{
    Cache, Engine, GuestError, LoadError,
    bindings::mcpfn::function::types as wit,
    cache::{Code, Description},
    concurrent::needs_concurrency,
    convert,
    engine::{Calls, Linked},
    fair::{self, FIRST_SLICE},
    limits::{OutOfMemory, TablesFull},
    output::{Owner, Printed},
    state::State,
};
use crate::function::{ComponentName, Declaration, Limits, Skill};

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

/// What a component says of itself.
#[derive(Debug)]
pub struct Declared {
    /// What can be invoked.
    pub functions: Vec<Declaration>,
    /// What can only be read.
    pub skills: Vec<Arc<Skill>>,
}

/// A component, from which instances are made.
pub struct Component {
    name: Arc<ComponentName>,
    engine: Arc<Engine>,
    calls: Calls,
    /// Its code, while it is not in memory: a component that nobody calls takes next to none.
    code: Option<Code>,
    mapping: Mutex<()>,
    linkage: OnceLock<Linkage>,
    /// What its first instance took until it had described itself.
    memory: usize,
}

/// A component that is linked: the instance to be, and where in it the functions of ours are.
///
/// The generated bindings would check the types of both functions at each instantiation, which takes a tenth of a
/// call; the one that is called is enough.
pub(super) struct Linkage {
    pre: InstancePre<State>,
    describe: ComponentExportIndex,
    invoke: ComponentExportIndex,
}

/// `handler.describe` of an instance.
type Describe = TypedFunc<(), (wit::Description,)>;

/// `handler.invoke` of an instance.
pub(super) type Invoke =
    TypedFunc<(&'static wit::Invocation,), (Result<wit::Completion, wit::Failure>,)>;

impl std::fmt::Debug for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Component").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Component {
    /// Compiles, links, and asks the component for its functions and skills, within `limits`; nothing of it if the cache knows
    /// the component. `compiling` is told before what takes time.
    ///
    /// Compiling blocks, for seconds if the component is large: keep it off the threads that serve.
    pub async fn load(
        engine: &Arc<Engine>,
        cache: &Cache,
        source: &Source<'_>,
        limits: &Limits,
        compiling: impl FnOnce(),
    ) -> Result<(Self, Declared), LoadError> {
        let mut calls = Calls::Plain;
        let mut found = cache.find(&engine.linked(calls)?.engine, &source.content);
        if found.is_none() && needs_concurrency(source.wasm) {
            calls = Calls::Concurrent;
            found = cache.find(&engine.linked(calls)?.engine, &source.content);
        }
        let linked = engine.linked(calls)?;
        let name = Arc::clone(&source.name);
        let (code, description) = match found {
            Some((code, description)) => (Some(code), description),
            None => (None, None),
        };
        let mut component = Self {
            name,
            engine: Arc::clone(engine),
            calls,
            code,
            mapping: Mutex::default(),
            linkage: OnceLock::new(),
            memory: 0,
        };
        let description = if let Some(description) = description {
            description
        } else {
            let compiled = if let Some(code) = &component.code {
                code.load(&linked.engine)
            } else {
                compiling();
                let compiled =
                    wasmtime::component::Component::from_binary(&linked.engine, source.wasm)
                        .map_err(LoadError::NotAComponent)?;
                component.code = cache.keep_code(&linked.engine, &source.content, &compiled);
                Some(compiled)
            };
            let compiled = compiled.ok_or(LoadError::Code)?;
            let description = component.describe(&link(linked, &compiled)?, limits).await?;
            match &component.code {
                Some(code) => {
                    cache.keep_description(&linked.engine, &source.content, code, &description);
                }
                None => _ = component.linkage.set(link(linked, &compiled)?),
            }
            description
        };
        component.memory = description.memory;
        let (functions, skills) = convert::declared(description.into_declared(), &component.name)?;
        Ok((component, Declared { functions, skills }))
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
    async fn describe(&self, linkage: &Linkage, limits: &Limits) -> Result<Description, LoadError> {
        let printed = Printed::new(Owner::Component(Arc::clone(&self.name)), limits.log);
        // Never closed: without a place it would only take one from a call.
        let _place = self.engine.describing().acquire().await.ok();
        let _running = self.engine.running();
        let mut store = new_store(linkage, State::for_describe(limits, printed), limits);
        store.set_hostcall_fuel(DESCRIBE_SIZE);
        let described = tokio::time::timeout(DESCRIBE_TIMEOUT, async {
            // Whether both have the types of the contract is found here, and only here.
            let instance = linkage.pre.instantiate_async(&mut store).await?;
            let describe: Describe = instance.get_typed_func(&mut store, linkage.describe)?;
            let _: Invoke = instance.get_typed_func(&mut store, linkage.invoke)?;
            let (declared,) = describe.call_async(&mut store, ()).await?;
            wasmtime::Result::Ok(declared)
        });
        match described.await {
            Ok(Ok(declared)) => Ok(Description::new(store.data().limiter.memory(), declared)),
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

    /// What instances are made from. The first call of a component reads its code, which takes a fraction of a
    /// millisecond, and tens of them for an interpreter.
    pub(super) fn linkage(&self) -> Result<&Linkage, LoadError> {
        if let Some(linkage) = self.linkage.get() {
            return Ok(linkage);
        }
        // Once, however many first calls there are.
        let _mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(linkage) = self.linkage.get() {
            return Ok(linkage);
        }
        let linked = self.engine.linked(self.calls)?;
        let code = self.code.as_ref().and_then(|code| code.load(&linked.engine));
        let linkage = link(linked, &code.ok_or(LoadError::Code)?)?;
        Ok(self.linkage.get_or_init(|| linkage))
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
        if error.downcast_ref::<wasmtime::PoolConcurrencyLimitError>().is_some() {
            return GuestError::NoPlace;
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

/// Links a component, which has to be one of ours.
fn link(linked: &Linked, component: &wasmtime::component::Component) -> Result<Linkage, LoadError> {
    let Some((ComponentItem::ComponentInstance(_), handler)) = component.get_export(None, HANDLER)
    else {
        return Err(LoadError::NothingOfOurs);
    };
    let function =
        |name| component.get_export_index(Some(&handler), name).ok_or(LoadError::NothingOfOurs);
    let (describe, invoke) = (function("describe")?, function("invoke")?);
    let pre = linked.linker.instantiate_pre(component).map_err(LoadError::Link)?;
    Ok(Linkage { pre, describe, invoke })
}

impl Linkage {
    /// Makes an instance; what it is called by.
    pub(super) async fn instantiate(&self, store: &mut Store<State>) -> wasmtime::Result<Invoke> {
        let instance = self.pre.instantiate_async(&mut *store).await?;
        instance.get_typed_func(store, self.invoke)
    }
}

/// A store for one instance.
pub(super) fn new_store(linkage: &Linkage, state: State, limits: &Limits) -> Store<State> {
    let mut store = Store::new(linkage.pre.engine(), state);
    store.limiter(|state| &mut state.limiter);
    store.epoch_deadline_callback(|_| Ok(UpdateDeadline::YieldCustom(1, fair::end_slice())));
    store.set_max_component_handles(limits.handles);
    allow_one_call(&mut store, limits);
    store
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
