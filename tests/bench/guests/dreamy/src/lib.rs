//! A second tool that sleeps: no one function may have all the permits of the host.

use std::{thread, time::Duration};

use mcpfn_sdk::mcp_tool;

/// Sleeps.
#[mcp_tool]
fn dreams(
    /// How many milliseconds.
    ms: u32,
) -> String {
    thread::sleep(Duration::from_millis(ms.into()));
    format!("slept {ms} ms")
}

mcpfn_sdk::functions![dreams];
