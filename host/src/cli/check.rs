//! `mcpfn check`: all that a start would find, without serving.

use std::io::{self, Write};

use super::{Failure, Sources, runtime};
use crate::config::Environment;

pub(super) fn run(sources: &Sources, environment: &Environment) -> Result<(), Failure> {
    let config = sources.config(environment)?;
    let host = sources.load(config, &runtime()?)?;
    let n_functions = host.catalog().functions().len();
    writeln!(
        io::stdout(),
        "ok: {n_functions} function{}",
        if n_functions == 1 { "" } else { "s" }
    )?;
    Ok(())
}
