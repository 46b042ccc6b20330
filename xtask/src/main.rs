//! What a developer of mcpfn runs: `cargo xtask COMMAND`.

mod bench;
mod build;
mod lint;
mod needs;
mod packages;
mod soak;
mod start;
mod step;
mod test;
mod workspace;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::{Result, bail};

use crate::workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  build          the host in release mode, the samples in functions/, and tests/programs/everything in target/tour/
  start [ARGS]   build, then the host with the host.json of this repository; ARGS are its own
  test [ARGS]    everything that the tests need, then the tests; ARGS are `cargo test`'s
  lint           formatting, lints, documentation
  ci             test, a soak of two minutes, then lint
  bench [--quick | --brief] [--storage]
                 measures everything and writes docs/benchmarks.md; brief: in a few minutes; quick: writes
                 to the target folder; storage: that section alone
  soak [--minutes N]
                 mixed load, 30 minutes by default, and writes docs/soak.md
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be told to where stderr is closed.
            let _ = writeln!(io::stderr(), "xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let args: Vec<String> = args.collect();
    if !args.is_empty() && ["build", "lint", "ci"].contains(&&*command) {
        bail!("`{command}` takes no arguments\n{USAGE}");
    }
    match &*command {
        "build" => build::run(&Workspace::load()?),
        "start" => start::run(&Workspace::load()?, &args),
        "test" => test::run(&Workspace::load()?, &args),
        "bench" => bench::run(&Workspace::load()?, &args),
        "soak" => soak::run(&Workspace::load()?, &args),
        "lint" => lint::run(&Workspace::load()?),
        "ci" => {
            let workspace = Workspace::load()?;
            test::run(&workspace, &[])?;
            soak::in_ci(&workspace)?;
            lint::run(&workspace)
        }
        "help" | "--help" | "-h" => Ok(io::stdout().write_all(USAGE.as_bytes())?),
        "" => bail!("no command\n{USAGE}"),
        _ => bail!("no command `{command}`\n{USAGE}"),
    }
}
