//! What the engine alone needs for a call in a fresh instance: the least that the host can add to.

use std::{
    env, fs,
    hint::black_box,
    io,
    io::Write as _,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use bench::{cores, exchange::Calls, statistics::as_f64, variants};
use wasmtime::{
    Config, Enabled, Engine, PoolingAllocationConfig, Store,
    component::{Component, Linker, ResourceTable},
};
use wasmtime_wasi::{WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use self::bindings::{FunctionPre, mcpfn::function::types as wit};

mod bindings {
    //! The contract, generated.

    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "function",
        exports: { default: async },
    });
}

/// As in host/src/guest/engine.rs, on a machine with 32 GiB: 256 instances that run, and a quarter more to keep.
const N_SLOTS: u32 = 256 + 64;
const MAX_CORE_INSTANCES: u32 = 100;
const MAX_MEMORIES: u32 = 4;
const MAX_TABLES: u32 = 16;
const MAX_TABLE_ELEMENTS: usize = 1_000_000;
const STACK: usize = 512 << 10;
const HOST_STACK: usize = 1536 << 10;

/// More than the caches of a core hold.
const BUFFER: usize = 4 << 20;
const CACHE_LINE: usize = 64;

const TICK: Duration = Duration::from_millis(1);

struct State {
    table: ResourceTable,
    /// Made when the guest first calls it, which this one never does.
    wasi: Option<WasiCtx>,
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let ctx = self.wasi.get_or_insert_with(|| WasiCtxBuilder::new().build());
        WasiCtxView { ctx, table: &mut self.table }
    }
}

/// What happens between two calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    Nothing,
    /// The caches of the processor are filled with something else, in time that is not counted.
    Overwrite,
}

/// `cycle COMPONENT THREADS COMPONENTS MILLISECONDS [overwrite]`: prints calls per second.
fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let (args, between) = match &args[..] {
        [args @ .., last] if last == "overwrite" => (args, Between::Overwrite),
        args => (args, Between::Nothing),
    };
    let [component, n_threads, n_components, ms] = args else {
        bail!("usage: cycle COMPONENT THREADS COMPONENTS MILLISECONDS [overwrite]");
    };
    let (n_threads, n_components) = (n_threads.parse()?, n_components.parse()?);
    let engine = engine()?;
    let wasm = fs::read(PathBuf::from(component)).with_context(|| component.clone())?;
    let tools = tools(&engine, &wasm, n_components)?;
    let stop = AtomicBool::new(false);
    let per_second = thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(TICK);
                engine.increment_epoch();
            }
        });
        let duration = Duration::from_millis(ms.parse()?);
        let measured = measure(&engine, &tools, n_threads, duration, between);
        stop.store(true, Ordering::Relaxed);
        measured
    })?;
    Ok(writeln!(io::stdout(), "{per_second}")?)
}

fn measure(
    engine: &Engine,
    tools: &[Tool],
    n_threads: usize,
    duration: Duration,
    between: Between,
) -> Result<f64> {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|core| {
                scope.spawn(move || {
                    cores::keep_to(core)?;
                    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
                    runtime.block_on(cycles(engine, tools, duration, between))
                })
            })
            .collect();
        let per_second = threads.into_iter().map(|thread| match thread.join() {
            Ok(per_second) => per_second,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        per_second.sum()
    })
}

/// Calls in turn until the time is over, after a tenth of it that is not counted.
async fn cycles(
    engine: &Engine,
    tools: &[Tool],
    duration: Duration,
    between: Between,
) -> Result<f64> {
    let mut buffer = match between {
        Between::Nothing => Vec::new(),
        Between::Overwrite => vec![0_u8; BUFFER],
    };
    let mut overwriting = Duration::ZERO;
    let mut number = 0;
    let mut started = Instant::now();
    let mut counted_from = 0;
    loop {
        for tool in tools {
            if between == Between::Overwrite {
                let started = Instant::now();
                overwrite(&mut buffer);
                overwriting += started.elapsed();
            }
            tool.call(engine, number).await?;
            number += 1;
        }
        let elapsed = started.elapsed();
        if counted_from == 0 && elapsed > duration / 10 {
            (started, counted_from) = (Instant::now(), number);
            overwriting = Duration::ZERO;
        } else if counted_from > 0 && elapsed > duration {
            let counted = elapsed.saturating_sub(overwriting);
            return Ok(as_f64(number - counted_from) / counted.as_secs_f64());
        }
    }
}

fn overwrite(buffer: &mut [u8]) {
    for byte in buffer.iter_mut().step_by(CACHE_LINE) {
        *byte = byte.wrapping_add(1);
    }
    black_box(buffer);
}

struct Tool {
    pre: FunctionPre<State>,
    name: String,
}

impl Tool {
    async fn call(&self, engine: &Engine, number: u64) -> Result<()> {
        let state = State { table: ResourceTable::new(), wasi: None };
        let mut store = Store::new(engine, state);
        store.epoch_deadline_async_yield_and_update(1);
        store.set_epoch_deadline(5);
        let text = Calls::text(number);
        let call = wit::Invocation {
            id: String::from("00000000000000000000000000000000"),
            function: self.name.clone(),
            entry: wit::Entry::Call,
            arguments: format!(r#"{{"text":"{text}"}}"#),
            inputs: Vec::new(),
            resume: None,
            options: Vec::new(),
        };
        let answer = async {
            let instance = self.pre.instantiate_async(&mut store).await?;
            instance.mcpfn_function_handler().call_invoke(&mut store, &call).await
        };
        let answer = answer.await.map_err(of_engine)?;
        let outcome = answer.map(|completion| completion.outcome);
        match outcome {
            Ok(wit::Outcome::Text(answer)) if answer.ends_with(&text) => Ok(()),
            _ => bail!("`{}` gave a wrong answer", self.name),
        }
    }
}

fn tools(engine: &Engine, wasm: &[u8], n_components: usize) -> Result<Vec<Tool>> {
    ensure!(n_components > 0, "no component");
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker).map_err(of_engine)?;
    let prepare = |wasm: &[u8]| {
        let component = Component::new(engine, wasm)?;
        // The tool uses nothing of ours, so nothing has to be there.
        let mut linker = linker.clone();
        linker.define_unknown_imports_as_traps(&component)?;
        FunctionPre::new(linker.instantiate_pre(&component)?)
    };
    let tool = |number| {
        let pre = prepare(&variants::copy(wasm, number)?).map_err(of_engine)?;
        Ok(Tool { pre, name: variants::name(number) })
    };
    (0..n_components).map(tool).collect()
}

/// The engine's error is no `std::error::Error`.
fn of_engine(error: wasmtime::Error) -> anyhow::Error {
    anyhow!("{error:?}")
}

/// As in host/src/guest/engine.rs.
fn engine() -> Result<Engine> {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(N_SLOTS)
        .total_stacks(N_SLOTS)
        .total_core_instances(N_SLOTS * MAX_CORE_INSTANCES)
        .total_memories(N_SLOTS * MAX_MEMORIES)
        .total_tables(N_SLOTS * MAX_TABLES)
        .max_core_instances_per_component(MAX_CORE_INSTANCES)
        .max_memories_per_component(MAX_MEMORIES)
        .max_tables_per_component(MAX_TABLES)
        .max_tables_per_module(MAX_TABLES)
        .max_memories_per_module(MAX_MEMORIES)
        .max_component_instance_size(10 << 20)
        .max_core_instance_size(10 << 20)
        .table_elements(MAX_TABLE_ELEMENTS)
        .max_memory_size(4 << 30)
        .linear_memory_keep_resident(128 << 10)
        .table_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto)
        .max_unused_warm_slots(N_SLOTS * MAX_MEMORIES);
    let mut config = Config::new();
    config.epoch_interruption(true).concurrency_support(false).allocation_strategy(pool);
    config.max_wasm_stack(STACK).async_stack_size(STACK + HOST_STACK);
    Engine::new(&config).map_err(of_engine)
}
