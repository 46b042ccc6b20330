//! Claims the tool `clash`, and so does its twin.

use mcpfn_sdk::mcp_tool;

/// Says which of the two it is.
#[mcp_tool(name = "Clash")]
fn clash() -> &'static str {
    "b"
}

mcpfn_sdk::functions![clash];

fn main() {}
