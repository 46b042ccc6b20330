use mcpfn_sdk::mcp_tool;

#[mcp_tool(task = "after-input")]
fn near() {}

#[mcp_tool(task = true)]
fn boolean() {}

fn main() {}
