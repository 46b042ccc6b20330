//! Keeps timers of WASI open.

use mcpfn_sdk::mcp_tool;
use wasip2::clocks::monotonic_clock::subscribe_duration;

/// Opens timers, and has them all at once.
#[mcp_tool]
fn holds_handles(
    /// How many.
    count: u32,
) -> String {
    let timers: Vec<_> = (0..count).map(|_| subscribe_duration(1)).collect();
    format!("held {}", timers.len())
}

mcpfn_sdk::functions![holds_handles];

fn main() {}
