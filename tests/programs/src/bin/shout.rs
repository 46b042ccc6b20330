//! Writes to everything that can be written to.

use mcpfn_sdk::{log, mcp_tool};

/// Writes to standard output, standard error and the log.
#[mcp_tool]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what the host does with it is what is tested"
)]
fn shouts(
    /// What to write.
    text: String,
) -> String {
    println!("stdout: {text}");
    eprintln!("stderr: {text}");
    log::info!("log: {text}");
    log::write(log::Level::Warn, "log with a field", &[("text", &text)]);
    text
}

const FORGED: &str = "x\n2026-01-01T00:00:00Z  INFO invoked tool=\"fake\"";

/// Logs what looks like a line of the host's own, in a message and in a field.
#[mcp_tool]
fn forges_log() {
    log::info!("{FORGED}");
    log::write(log::Level::Warn, "forged field", &[("text", FORGED)]);
}

mcpfn_sdk::functions![shouts, forges_log];

fn main() {}
