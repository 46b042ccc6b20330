//! The engine that all components share: how instances are allocated, and the clock that interrupts guests.

use std::sync::Arc;

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

/// The engine, and the linker that holds every capability.
pub struct Engine {
    inner: wasmtime::Engine,
    linker: Linker<State>,
    pooling: Pooling,
    max_instances: u32,
    stack: usize,
    turns: Turns,
    warm: Arc<Semaphore>,
    ticker: Ticker,
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
        // An idle instance that is kept takes a slot too; it must never be the one that a call needs.
        let max_warm = max_instances.div_ceil(4);
        let (inner, pooling) = make(config, max_instances + max_warm).map_err(LoadError::Engine)?;
        let mut linker = Linker::new(&inner);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker).map_err(LoadError::Engine)?;
        capability::add_to_linker(&mut linker).map_err(LoadError::Engine)?;
        let engine = inner.clone();
        let ticker = Ticker::start(move || engine.increment_epoch())
            .map_err(|error| LoadError::Engine(error.into()))?;
        Ok(Self {
            inner,
            linker,
            pooling,
            max_instances,
            stack: config.stack,
            turns: Turns::new(),
            warm: Arc::new(Semaphore::new(max_warm as usize)),
            ticker,
        })
    }

    /// How instances get their memory.
    pub fn pooling(&self) -> &Pooling {
        &self.pooling
    }

    /// How many instances may run at once. The caller sees to it that there are no more.
    pub fn max_instances(&self) -> usize {
        self.max_instances as usize
    }

    pub(super) fn inner(&self) -> &wasmtime::Engine {
        &self.inner
    }

    pub(super) fn linker(&self) -> &Linker<State> {
        &self.linker
    }

    /// Bytes of stack of a guest.
    pub(super) fn stack(&self) -> usize {
        self.stack
    }

    /// The turns of long guests.
    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The places for idle instances that are kept.
    pub(super) fn warm(&self) -> &Arc<Semaphore> {
        &self.warm
    }

    /// Keeps the clock going while a guest runs.
    pub(super) fn running(&self) -> Running<'_> {
        self.ticker.running()
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("pooling", &self.pooling).finish_non_exhaustive()
    }
}

fn make(config: &Config, n_slots: u32) -> wasmtime::Result<(wasmtime::Engine, Pooling)> {
    let mut common = wasmtime::Config::new();
    common.epoch_interruption(true);
    // Guests are WASI 0.2: without support for the concurrent calls of 0.3, a call is a plain fiber.
    common.concurrency_support(false);
    common.max_wasm_stack(config.stack).async_stack_size(config.stack + HOST_STACK);
    if !config.pooling {
        return Ok((wasmtime::Engine::new(&common)?, Pooling::Off));
    }
    let mut pooled = common.clone();
    pooled.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(config, n_slots)));
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
