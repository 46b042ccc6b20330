use mcpfn_sdk::{mcp_prompt, mcp_tool};

#[mcp_tool]
fn same() {}

#[mcp_prompt(name = "Same")]
fn other() -> String {
    String::new()
}

mcpfn_sdk::functions![same, other];

fn main() {}
