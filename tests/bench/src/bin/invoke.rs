//! The host without HTTP: `Host::invoke` in this process, as many calls at a time as there are threads.

use std::{
    env,
    io::{self, Write as _},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use bench::{cores, exchange::Calls, variants};
use mcpfn::{
    Host,
    config::{Config, Environment},
    function::{Caller, ComponentName, Invocation, Outcome, TransportKind},
    host::{Loader, Progress},
};
use serde_json::value::RawValue;
use tokio::task::JoinSet;

/// `invoke FOLDER THREADS MILLISECONDS`: prints calls per second.
fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [folder, n_threads, ms] = &args[..] else {
        bail!("usage: invoke FOLDER THREADS MILLISECONDS");
    };
    let n_threads: usize = n_threads.parse()?;
    let next_core = AtomicU64::new(0);
    // As in host/src/cli/mod.rs, with each thread on a core of its own.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(n_threads)
        .on_thread_start(move || {
            let core = next_core.fetch_add(1, Ordering::Relaxed);
            let core = usize::try_from(core).unwrap_or_default();
            if core < n_threads {
                cores::keep_to(core).expect("as many cores as threads");
            }
        })
        .event_interval(8)
        .enable_all()
        .build()?;
    let duration = Duration::from_millis(ms.parse()?);
    let folder = Path::new(folder).to_owned();
    // On a worker: what blocks the main thread is no worker.
    let per_second = runtime.block_on(async move {
        tokio::spawn(async move { measure(&folder, n_threads, duration).await }).await
    })??;
    Ok(writeln!(io::stdout(), "{per_second}")?)
}

async fn measure(folder: &Path, n_threads: usize, duration: Duration) -> Result<f64> {
    let config = Config::load(&folder.join("host.json"), &Environment::read())?;
    let functions = folder.join("functions");
    let load = move || Loader::new(&config, &functions, &Silent)?.load(&Arc::new(config), &Silent);
    let host = tokio::task::spawn_blocking(load).await??;
    let count = Arc::new(AtomicU64::new(0));
    let mut callers = JoinSet::new();
    // Twice as many callers as threads: one that waits for the other core keeps none from working.
    for _ in 0..n_threads * 2 {
        callers.spawn(calls(Arc::clone(&host), Arc::clone(&count)));
    }
    tokio::time::sleep(duration / 10).await;
    let (before, started) = (count.load(Ordering::Relaxed), Instant::now());
    tokio::select! {
        () = tokio::time::sleep(duration) => {}
        Some(ended) = callers.join_next() => ended??,
    }
    let n_calls = count.load(Ordering::Relaxed) - before;
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    Ok(n_calls as f64 / started.elapsed().as_secs_f64())
}

async fn calls(host: Arc<Host>, count: Arc<AtomicU64>) -> Result<()> {
    let name = variants::name(0);
    let functions = host.catalog().functions();
    let function = functions.iter().find(|function| function.trigger.name() == name);
    let function = function.with_context(|| format!("there is no tool `{name}`"))?;
    for number in 0.. {
        let text = Calls::text(number);
        let arguments = RawValue::from_string(format!(r#"{{"text":"{text}"}}"#))?;
        let caller = Caller::unknown(TransportKind::Http);
        let invocation = Arc::new(Invocation::new(Arc::clone(function), arguments, caller));
        match host.invoke(&invocation).await? {
            Outcome::Text(answer) if answer.ends_with(&text) => {}
            outcome => bail!("a wrong answer: {outcome:?}"),
        }
        count.fetch_add(1, Ordering::Relaxed);
        // A call that never waits would keep the core from every other task.
        tokio::task::yield_now().await;
    }
    Ok(())
}

/// Nobody is told how loading goes.
#[derive(Debug)]
struct Silent;

impl Progress for Silent {
    fn notice(&self, _: &str) {}

    fn compiling(&self, _: &ComponentName, _: usize, _: usize) {}
}
