//! `mcpfn schema`: the JSON Schema of host.json, for editors.

use std::io::{self, Write};

use super::Failure;
use crate::config;

pub(super) fn run() -> Result<(), Failure> {
    io::stdout().write_all(config::SCHEMA.as_bytes())?;
    Ok(())
}
