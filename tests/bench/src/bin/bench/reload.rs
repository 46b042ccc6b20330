//! A component is replaced under load: how long until the new version answers, and whether any answer was wrong.

use std::{
    fs,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use bench::{
    connection::Response,
    cores,
    exchange::{Answer, Calls, Exchange},
    folder::Folder,
    load::{Load, ask},
    programs::Programs,
    server::Server,
    variants,
};
use serde_json::json;

use crate::{plan::Plan, subjects::TOOL, tally::Tally};

pub(crate) const SWAP_MS: &str = "swap, ms";

/// A version that did not answer by then never will.
const DEADLINE: Duration = Duration::from_secs(10);

/// Calls whose answers are of the newest version or of one of the two before.
struct Versions {
    calls: Calls,
    newest: AtomicUsize,
}

/// Calls whose answers are of the newest version.
struct Newest<'a>(&'a Versions);

/// Measures.
pub(crate) fn measure(programs: &Programs, plan: &Plan, tally: &mut Tally) -> Result<()> {
    let mcpfn = programs.program("mcpfn")?;
    let wasm = fs::read(programs.component("trivial")?)?;
    let folder = Folder::new(&json!({ "version": "2.0" }))?;
    folder.put("trivial.wasm", &wasm)?;
    let server = folder.start(&mcpfn, Some(cores::SERVER))?;
    let versions = Versions { calls: Calls::new([TOOL]), newest: AtomicUsize::new(0) };
    let (stop, wrong) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let times = thread::scope(|scope| {
        let load = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let load = Load {
                    n_connections: 8,
                    warm_up: Duration::ZERO,
                    duration: Duration::from_millis(500),
                };
                let measured = load.run(&server, &versions)?;
                wrong.lock().expect("nobody panics with it").extend(measured.first_failure);
            }
            Ok::<_, anyhow::Error>(())
        });
        let times = swaps(&server, &folder, &wasm, &versions, plan.n_swaps);
        stop.store(true, Ordering::Relaxed);
        load.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        times
    })?;
    for time in times {
        tally.add_number(SWAP_MS, time);
    }
    for wrong in wrong.into_inner().expect("nobody panics with it") {
        tally.add_wrong(format!("while components were replaced: {wrong}"));
    }
    Ok(())
}

fn swaps(
    server: &Server,
    folder: &Folder,
    wasm: &[u8],
    versions: &Versions,
    n_swaps: usize,
) -> Result<Vec<f64>> {
    let mut times = Vec::new();
    for version in 1..=n_swaps {
        let replaced = variants::with_version(wasm, version)?;
        versions.newest.store(version, Ordering::SeqCst);
        folder.put("trivial.wasm", &replaced)?;
        let put = Instant::now();
        // The first call that the new version answers.
        while let Err(error) = ask(server.port(), 1, &Newest(versions)) {
            if put.elapsed() > DEADLINE {
                bail!("version {version} did not answer in {DEADLINE:?}: {error}");
            }
            thread::sleep(Duration::from_millis(1));
        }
        times.push(put.elapsed().as_secs_f64() * 1e3);
    }
    Ok(times)
}

impl Versions {
    fn check_is(&self, number: u64, response: &Response<'_>, oldest: usize) -> Result<(), String> {
        let answer = Answer::read(number, response)?;
        let newest = self.newest.load(Ordering::SeqCst);
        let oldest = newest.saturating_sub(oldest);
        let text = Calls::text(number);
        let fits = |version| answer.text == format!("{}{text}", variants::version(version));
        if answer.is_error || !(oldest..=newest).any(fits) {
            return Err(format!("expected version {oldest} to {newest}, got `{}`", answer.text));
        }
        Ok(())
    }
}

impl Exchange for Versions {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        self.calls.write(number, request);
    }

    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String> {
        // The answer of a call that was under way at one swap may be read once the next one has begun.
        self.check_is(number, response, 2)
    }
}

impl Exchange for Newest<'_> {
    fn write(&self, number: u64, request: &mut Vec<u8>) {
        self.0.calls.write(number, request);
    }

    fn check(&self, number: u64, response: &Response<'_>) -> Result<(), String> {
        self.0.check_is(number, response, 0)
    }
}
