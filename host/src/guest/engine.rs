//! The engine that all components share: how instances are allocated, and the clock that interrupts guests.
//!
//! It is two engines, of which the second is made when a component first needs it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::sync::Semaphore;
use wasmtime::{Enabled, InstanceAllocationStrategy, PoolingAllocationConfig, component::Linker};

use super::{
    capability,
    error::LoadError,
    fair::Turns,
    machine,
    state::State,
    ticker::{Running, Ticker},
};

/// Largest linear memory that any guest can have: all of a 32-bit address space.
const MAX_MEMORY: usize = 4 << 30;

/// Most elements that any table can have.
const MAX_TABLE_ELEMENTS: usize = 1_000_000;

/// What one component may consist of, so that a full house of the largest fits into the pool: rustc's have
/// about four core instances, one memory and two tables; one of Python some dozens, one and three.
const MAX_CORE_INSTANCES: u32 = 100;
const MAX_MEMORIES: u32 = 4;
const MAX_TABLES: u32 = 16;

/// How many components are asked for their functions at once: beside those that serve.
const MAX_DESCRIBED: u32 = 16;

/// A guest with asynchronous parts has a stack for each call of it that waits.
const STACKS_OF_CONCURRENT: u32 = 8;

/// What a fiber has beside the guest's stack, for the host's own functions that the guest calls.
const HOST_STACK: usize = 1536 << 10;

/// How instances are made.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many may run at once. None: as many as half of the machine's memory holds at
    /// [`memory`](Self::memory) each, from 16 to 256.
    pub max_instances: Option<u32>,
    /// Bytes of memory that most guests may have.
    pub memory: usize,
    /// Bytes of stack of a guest.
    pub stack: usize,
    /// Whether memory is reserved once and reset between instances.
    pub pooling: bool,
    /// Whether the kernel is asked which pages to reset, where it can tell.
    pub pagemap_scan: bool,
}

/// How instances get their memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// From slots that are reserved once and reset between instances.
    Pool,
    /// From the operating system, each time, as configured.
    Off,
    /// From the operating system, each time: the pool could not be reserved.
    OnDemand {
        /// Why, as the engine says it.
        reason: String,
    },
}

/// What components are compiled for, linked with and allocated by.
pub struct Engine {
    config: Config,
    /// For components of WASI 0.2: without support for concurrent calls, a call is a plain fiber.
    plain: Linked,
    /// For components with asynchronous parts.
    concurrent: Arc<OnceLock<Linked>>,
    making_concurrent: Mutex<()>,
    max_instances: u32,
    turns: Turns,
    warm: Arc<Semaphore>,
    describing: Semaphore,
    ticker: Ticker,
}

/// An engine, and the linker that holds every capability.
pub(super) struct Linked {
    pub(super) engine: wasmtime::Engine,
    pub(super) linker: Linker<State>,
    pooling: Pooling,
}

/// Whether calls may be concurrent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    Plain,
    Concurrent,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_instances: None,
            memory: 64 << 20,
            stack: 512 << 10,
            pooling: true,
            pagemap_scan: true,
        }
    }
}

impl Engine {
    /// Makes the engine and starts its clock. Where no pool can be reserved it does without one:
    /// [`Self::pooling`] tells, so that the caller can say so.
    pub fn new(config: &Config) -> Result<Self, LoadError> {
        let max_instances =
            config.max_instances.unwrap_or_else(|| machine::max_instances(config.memory));
        let plain = Linked::new(config, max_instances, Calls::Plain).map_err(LoadError::Engine)?;
        let concurrent = Arc::new(OnceLock::<Linked>::new());
        let engines = (plain.engine.clone(), Arc::clone(&concurrent));
        let tick = move || {
            engines.0.increment_epoch();
            if let Some(concurrent) = engines.1.get() {
                concurrent.engine.increment_epoch();
            }
        };
        let ticker = Ticker::start(tick).map_err(|error| LoadError::Engine(error.into()))?;
        Ok(Self {
            config: config.clone(),
            plain,
            concurrent,
            making_concurrent: Mutex::default(),
            max_instances,
            turns: Turns::new(),
            warm: Arc::new(Semaphore::new(max_warm(max_instances) as usize)),
            describing: Semaphore::new(MAX_DESCRIBED as usize),
            ticker,
        })
    }

    /// How instances get their memory.
    pub fn pooling(&self) -> &Pooling {
        &self.plain.pooling
    }

    /// How many instances may run at once. The caller sees to it that there are no more.
    pub fn max_instances(&self) -> usize {
        self.max_instances as usize
    }

    /// The engine for components that need this of calls; the concurrent one is made when it is first asked for.
    pub(super) fn linked(&self, calls: Calls) -> Result<&Linked, LoadError> {
        match calls {
            Calls::Plain => Ok(&self.plain),
            Calls::Concurrent => self.concurrent(),
        }
    }

    fn concurrent(&self) -> Result<&Linked, LoadError> {
        let _making = self.making_concurrent.lock().unwrap_or_else(PoisonError::into_inner);
        if self.concurrent.get().is_none() {
            let concurrent = Linked::new(&self.config, self.max_instances, Calls::Concurrent);
            // Nobody else sets it while we hold the lock.
            _ = self.concurrent.set(concurrent.map_err(LoadError::Engine)?);
        }
        Ok(self.concurrent.get().expect("it was set above"))
    }

    /// Bytes of stack of a guest.
    pub(super) fn stack(&self) -> usize {
        self.config.stack
    }

    /// The turns of long guests.
    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The places for idle instances that are kept.
    pub(super) fn warm(&self) -> &Arc<Semaphore> {
        &self.warm
    }

    /// The places for instances that describe their component.
    pub(super) fn describing(&self) -> &Semaphore {
        &self.describing
    }

    /// Keeps the clock going while a guest runs.
    pub(super) fn running(&self) -> Running<'_> {
        self.ticker.running()
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("pooling", self.pooling()).finish_non_exhaustive()
    }
}

impl Linked {
    fn new(config: &Config, max_instances: u32, calls: Calls) -> wasmtime::Result<Self> {
        let n_slots = max_instances + max_warm(max_instances) + MAX_DESCRIBED;
        let (engine, pooling) = make(config, n_slots, calls)?;
        if let (Calls::Concurrent, Pooling::OnDemand { reason }) = (calls, &pooling) {
            tracing::warn!(
                "no memory pool could be reserved for components with asynchronous parts ({reason})"
            );
        }
        let mut linker = Linker::new(&engine);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
        if calls == Calls::Concurrent {
            wasmtime_wasi::p3::add_to_linker(&mut linker)?;
        }
        capability::add_to_linker(&mut linker)?;
        Ok(Self { engine, linker, pooling })
    }
}

/// An idle instance that is kept takes a slot too; it must never be the one that a call needs.
fn max_warm(max_instances: u32) -> u32 {
    max_instances.div_ceil(4)
}

fn make(
    config: &Config,
    n_slots: u32,
    calls: Calls,
) -> wasmtime::Result<(wasmtime::Engine, Pooling)> {
    let mut common = wasmtime::Config::new();
    common.epoch_interruption(true);
    common.concurrency_support(calls == Calls::Concurrent);
    common.max_wasm_stack(config.stack).async_stack_size(config.stack + HOST_STACK);
    if !config.pooling {
        return Ok((wasmtime::Engine::new(&common)?, Pooling::Off));
    }
    let mut pooled = common.clone();
    let mut pool = pool(config, n_slots);
    if calls == Calls::Concurrent {
        pool.total_stacks(n_slots.saturating_mul(STACKS_OF_CONCURRENT));
    }
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Ok(match wasmtime::Engine::new(&pooled) {
        Ok(engine) => (engine, Pooling::Pool),
        Err(error) => {
            let reason = error.root_cause().to_string();
            (wasmtime::Engine::new(&common)?, Pooling::OnDemand { reason })
        }
    })
}

fn pool(config: &Config, n_slots: u32) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(n_slots)
        .total_stacks(n_slots)
        .total_core_instances(n_slots.saturating_mul(MAX_CORE_INSTANCES))
        .total_memories(n_slots.saturating_mul(MAX_MEMORIES))
        .total_tables(n_slots.saturating_mul(MAX_TABLES))
        // Without these, one component could take the places of others.
        .max_core_instances_per_component(MAX_CORE_INSTANCES)
        .max_memories_per_component(MAX_MEMORIES)
        .max_tables_per_component(MAX_TABLES)
        .max_tables_per_module(MAX_TABLES)
        .max_memories_per_module(MAX_MEMORIES)
        // Python and JavaScript guests are far over the defaults (1 MiB, 20,000).
        .max_component_instance_size(10 << 20)
        .max_core_instance_size(10 << 20)
        .table_elements(MAX_TABLE_ELEMENTS)
        .max_memory_size(MAX_MEMORY)
        // Measured with guests of the SDK: keeping the pages a small guest touches, and asking the
        // kernel which ones those were, halves the cost of a reset; the scan needs Linux 6.7.
        .linear_memory_keep_resident(128 << 10)
        .table_keep_resident(64 << 10)
        .pagemap_scan(if config.pagemap_scan { Enabled::Auto } else { Enabled::No })
        // A slot that is warm for a component saves mapping its image anew; with fewer of them than
        // components, calling these in turn maps every time.
        .max_unused_warm_slots(n_slots.saturating_mul(MAX_MEMORIES));
    pool
}
