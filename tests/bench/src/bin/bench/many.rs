//! One component and a thousand: how fast calls are, how long a start takes, what an idle component costs.

use std::{
    fs,
    io::{self, Write as _},
    process::Command,
};

use anyhow::{Context as _, Result};
use bench::{
    cores,
    exchange::{Calls, Lists},
    folder::Folder,
    load::ask,
    programs::Programs,
    sample::Sample,
    server::Server,
    variants,
};
use serde_json::json;

use crate::{
    plan::Plan,
    subjects::TOOL,
    tally::{Tally, mib},
};

/// How many requests are in flight at a time.
const N_CONNECTIONS: usize = 16;

pub(crate) fn one_called(n_components: usize) -> String {
    format!("one of {n_components} called")
}

pub(crate) fn in_turn(n_components: usize) -> String {
    format!("in turn of {n_components}")
}

pub(crate) fn listed(n_components: usize) -> String {
    format!("list of {n_components}")
}

pub(crate) fn start_ms(n_components: usize) -> String {
    format!("start with {n_components} cached, ms")
}

pub(crate) fn idle_mib(n_components: usize) -> String {
    format!("idle with {n_components}, MiB")
}

pub(crate) const START_FLOOR: &str = "start of the floor, ms";
pub(crate) const START_COLD: &str = "start with 1 not cached, ms";

/// Measures all of it.
pub(crate) fn measure(programs: &Programs, plan: &Plan, tally: &mut Tally) -> Result<()> {
    let wasm = fs::read(programs.component("trivial")?)?;
    let mcpfn = programs.program("mcpfn")?;
    let folders = plan.components.map(|n_components| {
        let folder = Folder::new(&json!({ "version": "2.0" }))?;
        for number in 0..n_components {
            let copy = variants::copy(&wasm, number)?;
            folder.put(&format!("{}.wasm", variants::name(number)), &copy)?;
        }
        Ok::<_, anyhow::Error>((n_components, folder))
    });
    let folders = folders.into_iter().collect::<Result<Vec<_>>>()?;
    for (n_components, folder) in &folders {
        writeln!(io::stderr(), "compiling {n_components} components")?;
        drop(folder.start(&mcpfn, None)?);
    }
    let host = |folder: &Folder| folder.start(&mcpfn, Some(cores::SERVER));
    for _ in 0..plan.n_repetitions {
        let mut floor = Command::new(programs.program("floor")?);
        tally.add_number(
            START_FLOOR,
            first_reply_ms(&Server::start(&mut floor, Some(cores::SERVER))?)?,
        );
        for (n_components, folder) in &folders {
            let server = host(folder)?;
            tally.add_number(start_ms(*n_components), first_reply_ms(&server)?);
            tally.add_number(idle_mib(*n_components), mib(Sample::take(server.pid())?.rss_kib));
        }
        let (_, folder) = folders.first().context("there are three")?;
        folder.forget_compiled()?;
        tally.add_number(START_COLD, first_reply_ms(&host(folder)?)?);
    }

    let servers = folders
        .iter()
        .map(|(n_components, folder)| Ok((*n_components, host(folder)?)))
        .collect::<Result<Vec<_>>>()?;
    for (n_components, server) in &servers {
        // Each is there, and is itself.
        for number in 0..*n_components {
            let name = variants::name(number);
            ask(server.port(), 1, &Calls::new([&name])).with_context(|| name.clone())?;
        }
    }
    for repetition in 1..=plan.n_repetitions {
        for (n_components, server) in &servers {
            let load = plan.load(N_CONNECTIONS);
            let one = load.run(server, &Calls::new([TOOL]))?;
            tally.add_load(one_called(*n_components), one);
            if *n_components >= plan.in_turn {
                let calls = Calls::new((0..plan.in_turn).map(variants::name));
                tally.add_load(in_turn(*n_components), load.run(server, &calls)?);
            }
            let lists = Lists { n_tools: *n_components };
            tally.add_load(listed(*n_components), load.run(server, &lists)?);
        }
        writeln!(io::stderr(), "components: {repetition} of {} repetitions", plan.n_repetitions)?;
    }
    Ok(())
}

/// From the start of a server to its first answer.
fn first_reply_ms(server: &Server) -> Result<f64> {
    ask(server.port(), 1, &Calls::new([TOOL]))?;
    Ok(server.started().elapsed().as_secs_f64() * 1e3)
}
