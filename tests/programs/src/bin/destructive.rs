//! A tool that says it destroys: no version without a gate may run it.

use mcpfn_sdk::mcp_tool;

/// Destroys something.
#[mcp_tool(destructive = true)]
fn destroys() {}

mcpfn_sdk::functions![destroys];

fn main() {}
