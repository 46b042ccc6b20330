//! The real host under mixed load for minutes or hours: what it holds must not grow, and no answer may be wrong.

mod after;
mod kinds;
mod load;
mod report;
mod verdict;

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, Result, bail, ensure};
use bench::{
    connection::Connection,
    cores,
    exchange::{Answer, Calls, write_request},
    folder::Folder,
    machine::Machine,
    programs::Programs,
    sample::Sample,
    server::Server,
    statistics::as_f64,
    variants,
};
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::{
    kinds::{Kind, TIMEOUT},
    load::Tally,
    report::Second,
    verdict::Seen,
};

/// How often a component is replaced.
const RELOAD: Duration = Duration::from_secs(3);

/// How long a new version may take under this load.
const NEW_VERSION: Duration = Duration::from_secs(10);

/// The test programs, by what they are for.
const PROGRAMS: [&str; 8] =
    ["echo", "trivial", "flood", "panic", "spin", "eat_memory", "sleepy", "dreamy"];

/// The tools of `sleepy` and `dreamy`.
const SLEEPERS: [&str; 2] = ["sleeps", "dreams"];

/// `soak MINUTES COMPONENTS DOCS`
fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [minutes, components, docs] = &args[..] else {
        bail!("usage: soak MINUTES COMPONENTS DOCS");
    };
    let minutes: f64 = minutes.parse()?;
    let machine = Machine::this();
    let programs = Programs::beside_this(Path::new(components))?;
    let (seconds, seen) = cores::on(cores::client(), || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(soak(&programs, Duration::from_secs_f64(minutes * 60.0)))
    })?;
    let page = report::page(&machine, minutes, &seconds, &seen);
    report::write(&PathBuf::from(docs), &page, &report::plot(&seconds))?;
    io::stdout().write_all(page.as_bytes())?;
    match seen.broken() {
        broken if broken.is_empty() => Ok(()),
        broken => bail!("{}", broken.join("\nsoak: ")),
    }
}

async fn soak(programs: &Programs, duration: Duration) -> Result<(Vec<Second>, Seen)> {
    let mcpfn = programs.program("mcpfn")?;
    let folder = Folder::new(&json!({
        "version": "2.0",
        "functionTimeout": TIMEOUT,
        // The same on every machine.
        "engine": { "maxInstances": 2 * after::PER_FUNCTION },
    }))?;
    for program in PROGRAMS {
        folder.copy(&programs.component(program)?)?;
    }
    let host = folder.start(&mcpfn, None)?;
    // Every place of the pool is touched once, so that memory has its size before it is looked at.
    let at_first = after::burst(host.port(), SLEEPERS).await;
    ensure!(at_first.is_empty(), "before the load: {}", at_first.join(", "));
    // The first call of a component opens the image of its memory, which stays open.
    for kind in Kind::ALL {
        after::call(host.port(), &kind.params(0)).await?;
    }
    let idle_files = after::files(host.pid(), 0).await?;

    let tally = Tally::default();
    let versions = Versions { folder, wasm: fs::read(programs.component("trivial")?)? };
    let watched = async {
        let seen = watch(&host, &tally, duration).await;
        tally.stop();
        seen
    };
    let reloads = versions.replace_until_stopped(host.port(), &tally);
    let (seconds, late_versions, ()) =
        tokio::join!(watched, reloads, load::run(host.port(), &tally));
    let (seconds, late_versions) = (seconds?, late_versions?);

    let burst = after::burst(host.port(), SLEEPERS).await;
    let idle_files = (idle_files, after::files(host.pid(), idle_files).await?);
    let not_called = Kind::ALL.into_iter().filter(|kind| tally.completed(*kind) == 0);
    let seen = Seen {
        rss_kib: seconds.iter().map(|second| as_f64(second.sample.rss_kib)).collect(),
        n_files: seconds.iter().map(|second| as_f64(second.sample.n_files)).collect(),
        idle_files,
        n_wrong: tally.n_wrong(),
        first_wrong: tally.wrong().into_iter().next(),
        not_called: not_called.map(Kind::name).collect(),
        burst,
        late_versions,
    };
    for wrong in tally.wrong() {
        writeln!(io::stderr(), "wrong: {wrong}")?;
    }
    Ok((seconds, seen))
}

/// Looks at the host once a second.
async fn watch(host: &Server, tally: &Tally, duration: Duration) -> Result<Vec<Second>> {
    let (mut seconds, started) = (Vec::new(), Instant::now());
    let mut every_second = interval(Duration::from_secs(1));
    every_second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    every_second.tick().await;
    while started.elapsed() < duration {
        every_second.tick().await;
        let sample = Sample::take(host.pid()).context("the host is gone")?;
        let completed = Kind::ALL.map(|kind| tally.completed(kind));
        if seconds.len() % 60 == 59 {
            let total: u64 = completed.iter().sum();
            let mib = sample.rss_kib / 1024;
            writeln!(
                io::stderr(),
                "{} min: {total} calls, {mib} MiB, {} files, {} wrong answers",
                (seconds.len() + 1) / 60,
                sample.n_files,
                tally.n_wrong()
            )?;
        }
        seconds.push(Second { sample, completed });
    }
    Ok(seconds)
}

/// The component that is replaced.
struct Versions {
    folder: Folder,
    wasm: Vec<u8>,
}

impl Versions {
    /// Replaces it every few seconds; how many new versions did not answer in time.
    async fn replace_until_stopped(&self, port: u16, tally: &Tally) -> Result<u64> {
        let mut n_late = 0;
        for version in 1.. {
            sleep(RELOAD).await;
            if tally.is_stopped() {
                break;
            }
            self.folder.put("trivial.wasm", &variants::with_version(&self.wasm, version)?)?;
            let (expected, put) = (variants::version(version), Instant::now());
            while !answers(port, tally.next_number(), &expected).await? {
                if put.elapsed() > NEW_VERSION {
                    n_late += 1;
                    break;
                }
                sleep(Duration::from_millis(20)).await;
            }
        }
        Ok(n_late)
    }
}

async fn answers(port: u16, number: u64, version: &str) -> Result<bool> {
    let mut request = Vec::new();
    write_request(number, "tools/call", &Kind::Reloaded.params(number), &mut request);
    let mut connection = Connection::open(port).await?;
    let response = connection.send(&request).await?;
    let answer = Answer::read(number, &response).map_err(anyhow::Error::msg)?;
    Ok(answer.text == format!("{version}{}", Calls::text(number)))
}
