//! `mcpfn check`: all that a start would find, without serving; and what connections lead to, for who asks.

use std::io::{self, Write};

use super::{Failure, Sources, printable, runtime, table};
use crate::{binding::Probe, config::Environment};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    sources: Sources,
    /// Try every connection too, and say what is there. Nothing is written.
    #[arg(long)]
    connections: bool,
}

pub(super) fn run(args: &Args, environment: &Environment) -> Result<(), Failure> {
    let config = args.sources.config(environment)?;
    let runtime = runtime()?;
    let host = args.sources.load(config, &runtime)?;
    let mut stdout = io::stdout().lock();
    if args.connections {
        let probes = runtime.block_on(host.probe());
        // A server may have had a word in it.
        write!(stdout, "{}", printable(&table::connections(&probes)))?;
        if !probes.iter().all(Probe::is_good) {
            return Err(Failure::Reported);
        }
    }
    let n_functions = host.catalog().functions().len();
    writeln!(stdout, "ok: {n_functions} function{}", if n_functions == 1 { "" } else { "s" })?;
    Ok(())
}
