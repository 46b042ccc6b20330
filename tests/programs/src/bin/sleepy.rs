//! Waits in the host, where no epoch wakes it.

use std::{thread, time::Duration};

use mcpfn_sdk::mcp_tool;

/// Sleeps, and says before that it will.
#[mcp_tool]
#[expect(clippy::print_stderr, reason = "it tells the test that the call has begun")]
fn sleeps(
    /// How many milliseconds.
    ms: u32,
) -> String {
    eprintln!("sleeping");
    thread::sleep(Duration::from_millis(ms.into()));
    format!("slept {ms} ms")
}

mcpfn_sdk::functions![sleeps];

fn main() {}
