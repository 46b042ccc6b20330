//! Waits in the host, where no epoch wakes it.

use std::{thread, time::Duration};

use mcpfn_sdk::mcp_tool;

/// Sleeps.
#[mcp_tool]
fn sleeps(
    /// How many milliseconds.
    ms: u32,
) -> String {
    thread::sleep(Duration::from_millis(ms.into()));
    format!("slept {ms} ms")
}

mcpfn_sdk::functions![sleeps];

fn main() {}
