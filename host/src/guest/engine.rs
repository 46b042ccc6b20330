//! The engine that all components share: how instances are allocated, and the clock that interrupts guests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use wasmtime::{Config, Enabled, PoolingAllocationConfig, component::Linker};

use super::{capability, error::LoadError, state::State};

/// How many instances may live at once. A semaphore in `invoke` stands before it.
pub const MAX_INSTANCES: u32 = 256;

/// How long a guest computes before it lets other tasks of the host have its thread.
const TICK: Duration = Duration::from_millis(5);

/// Largest linear memory that any guest can have: all of a 32-bit address space.
const MAX_MEMORY: usize = 4 << 30;

/// How instances get their memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// From slots that are reserved once and reset between instances.
    Pool,
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
    stop: Arc<AtomicBool>,
    ticker: Option<thread::JoinHandle<()>>,
}

impl Engine {
    /// Makes the engine and starts its clock. Where no pool can be reserved it does without one:
    /// [`Self::pooling`] tells, so that the caller can say so.
    pub fn new() -> Result<Self, LoadError> {
        let (inner, pooling) = match wasmtime::Engine::new(config().allocation_strategy(pool())) {
            Ok(engine) => (engine, Pooling::Pool),
            Err(error) => {
                let engine = wasmtime::Engine::new(&config()).map_err(LoadError::Engine)?;
                (engine, Pooling::OnDemand { reason: error.root_cause().to_string() })
            }
        };
        let mut linker = Linker::new(&inner);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker).map_err(LoadError::Engine)?;
        capability::add_to_linker(&mut linker).map_err(LoadError::Engine)?;

        let stop = Arc::new(AtomicBool::new(false));
        let ticker = thread::Builder::new()
            .name("epoch".to_owned())
            .spawn({
                let (engine, stop) = (inner.clone(), Arc::clone(&stop));
                move || {
                    while !stop.load(Ordering::Relaxed) {
                        thread::sleep(TICK);
                        engine.increment_epoch();
                    }
                }
            })
            .map_err(|error| LoadError::Engine(error.into()))?;
        Ok(Self { inner, linker, pooling, stop, ticker: Some(ticker) })
    }

    /// How instances get their memory.
    pub fn pooling(&self) -> &Pooling {
        &self.pooling
    }

    pub(super) fn inner(&self) -> &wasmtime::Engine {
        &self.inner
    }

    pub(super) fn linker(&self) -> &Linker<State> {
        &self.linker
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("pooling", &self.pooling).finish_non_exhaustive()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(ticker) = self.ticker.take() {
            // It ends within one tick; a panic in it has nothing to tell anyone.
            let _ = ticker.join();
        }
    }
}

fn config() -> Config {
    let mut config = Config::new();
    config.epoch_interruption(true);
    // Guests are WASI 0.2: without support for the concurrent calls of 0.3, a call is a plain fiber.
    config.concurrency_support(false);
    config
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    // rustc's components hold about four core instances, and two tables, each.
    pool.total_component_instances(MAX_INSTANCES)
        .total_stacks(MAX_INSTANCES)
        .total_core_instances(MAX_INSTANCES * 4)
        .total_memories(MAX_INSTANCES * 2)
        .total_tables(MAX_INSTANCES * 4)
        // Python and JavaScript guests are far over the defaults (1 MiB, 20,000).
        .max_component_instance_size(10 << 20)
        .max_core_instance_size(10 << 20)
        .table_elements(64 << 10)
        .max_memory_size(MAX_MEMORY)
        // Measured with guests of the SDK: keeping the pages a small guest touches, and asking the
        // kernel which ones those were, halves the cost of a reset; the scan needs Linux 6.7.
        .linear_memory_keep_resident(128 << 10)
        .table_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto)
        .max_unused_warm_slots(MAX_INSTANCES);
    pool
}
