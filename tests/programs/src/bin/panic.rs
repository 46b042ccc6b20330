//! Panics.

use mcpfn_sdk::mcp_tool;

/// Panics with a message.
#[mcp_tool]
fn panics(
    /// What the panic says.
    message: Option<String>,
) {
    panic!("{}", message.unwrap_or_else(|| "it was asked to".into()));
}

mcpfn_sdk::functions![panics];

fn main() {}
