//! Ends the whole program in the middle of a call.

use mcpfn_sdk::mcp_tool;

/// Exits with status 3.
#[mcp_tool]
#[expect(clippy::exit, reason = "what the host does about it is what is tested")]
fn exits() {
    std::process::exit(3);
}

mcpfn_sdk::functions![exits];

fn main() {}
