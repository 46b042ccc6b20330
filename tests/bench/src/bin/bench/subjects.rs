//! The servers that are compared, and the engine and the host in process, in turns.

use std::{
    io::{self, Write as _},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use bench::{cores, exchange::Calls, folder::Folder, programs::Programs, server::Server};
use serde_json::{Value, json};

use crate::{
    plan::{CONCURRENCY, Plan},
    tally::Tally,
};

/// The one tool of all subjects.
pub(crate) const TOOL: &str = "trivial_0000";

/// From the least to the most.
pub(crate) const SUBJECTS: [&str; 7] = [
    "floor",
    "rmcp, native",
    "host, Rust",
    "host, JavaScript",
    "host, JavaScript, warm",
    "host, Python",
    "host, Python, warm",
];

/// The key of a load.
pub(crate) fn key(subject: &str, n_connections: usize) -> String {
    format!("{subject} c={n_connections}")
}

/// A running subject.
struct Subject {
    name: &'static str,
    server: Server,
    _folder: Option<Folder>,
}

/// Measures all of them.
pub(crate) fn measure(programs: &Programs, plan: &Plan, tally: &mut Tally) -> Result<()> {
    let mut subjects = Vec::new();
    for name in SUBJECTS {
        match start(programs, name) {
            Ok(subject) => subjects.push(subject),
            // A wrong program is no reason to measure none; the page says that it is missing.
            Err(error) => writeln!(io::stderr(), "not measured: {name}: {error:#}")?,
        }
    }
    let folder = rust_folder(programs)?;
    for repetition in 1..=plan.n_repetitions {
        for n_connections in CONCURRENCY {
            for subject in &subjects {
                let load = plan.load(n_connections);
                let measured = load.run(&subject.server, &Calls::new([TOOL]))?;
                tally.add_load(key(subject.name, n_connections), measured);
            }
        }
        if repetition <= plan.n_engine_repetitions {
            engine(programs, plan, &folder, tally)?;
        }
        writeln!(io::stderr(), "subjects: {repetition} of {} repetitions", plan.n_repetitions)?;
    }
    Ok(())
}

fn engine(programs: &Programs, plan: &Plan, folder: &Folder, tally: &mut Tally) -> Result<()> {
    let ms = plan.engine_duration.as_millis().to_string();
    let (cycle, invoke) = (programs.program("cycle")?, programs.program("invoke")?);
    let component = programs.component("trivial")?;
    for n_threads in [1, 2] {
        for n_components in plan.cycle_components {
            let mut command = Command::new(&cycle);
            command.arg(&component).args([n_threads.to_string(), n_components.to_string()]);
            let per_second = number(command.arg(&ms))?;
            tally.add_number(cycle_key(n_threads, n_components), per_second);
        }
        let mut command = Command::new(&cycle);
        command.arg(&component).args([&n_threads.to_string(), "1", &ms, "overwrite"]);
        tally.add_number(overwritten_key(n_threads), number(&mut command)?);
        let mut command = Command::new(&invoke);
        command.arg(folder.path()).arg(n_threads.to_string());
        tally.add_number(invoke_key(n_threads), number(command.arg(&ms))?);
    }
    Ok(())
}

pub(crate) fn cycle_key(n_threads: usize, n_components: usize) -> String {
    format!("cycle threads={n_threads} components={n_components}")
}

/// One component, and the caches of the processor overwritten between its calls.
pub(crate) fn overwritten_key(n_threads: usize) -> String {
    format!("cycle threads={n_threads} overwritten")
}

pub(crate) fn invoke_key(n_threads: usize) -> String {
    format!("invoke threads={n_threads}")
}

/// The number that a program prints.
fn number(command: &mut Command) -> Result<f64> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed: {stderr}");
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
}

fn start(programs: &Programs, name: &'static str) -> Result<Subject> {
    let program = |name| {
        let mut command = Command::new(programs.program(name)?);
        Server::start(&mut command, Some(cores::SERVER))
    };
    let (server, folder) = match name {
        "floor" => (program("floor")?, None),
        "rmcp, native" => (program("rmcp_native")?, None),
        "host, Rust" => host(programs, "trivial", &json!({ "version": "2.0" }))?,
        "host, JavaScript" => host(programs, "tool_js", &interpreter())?,
        "host, JavaScript, warm" => host(programs, "tool_js", &warm(interpreter()))?,
        "host, Python" => host(programs, "tool_py", &interpreter())?,
        _ => host(programs, "tool_py", &warm(interpreter()))?,
    };
    Ok(Subject { name, server, _folder: folder })
}

fn host(
    programs: &Programs,
    component: &str,
    host_json: &Value,
) -> Result<(Server, Option<Folder>)> {
    let folder = Folder::new(host_json)?;
    folder.copy(&programs.component(component)?)?;
    let server = folder.start(&programs.program("mcpfn")?, Some(cores::SERVER))?;
    Ok((server, Some(folder)))
}

/// For a guest that brings an interpreter: it needs more memory.
fn interpreter() -> Value {
    json!({ "version": "2.0", "limits": { "memoryMiB": 256 } })
}

/// The same, with instances that are used again.
fn warm(mut host_json: Value) -> Value {
    host_json["functions"][TOOL]["warm"] = json!({ "max": 4, "maxUses": 1000 });
    host_json
}

fn rust_folder(programs: &Programs) -> Result<Folder> {
    let folder = Folder::new(&json!({ "version": "2.0" }))?;
    folder.copy(&programs.component("trivial")?)?;
    Ok(folder)
}
