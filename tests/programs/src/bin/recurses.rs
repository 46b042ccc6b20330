//! Calls itself until its stack is full.

use std::hint::black_box;

use mcpfn_sdk::mcp_tool;

/// Calls itself without end.
#[mcp_tool]
fn recurses() -> String {
    format!("{}", deeper(1))
}

fn deeper(depth: u64) -> u64 {
    black_box(if black_box(depth) == 0 { 0 } else { deeper(depth + 1) + depth })
}

mcpfn_sdk::functions![recurses];

fn main() {}
