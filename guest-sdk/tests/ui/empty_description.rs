use mcpfn_sdk::mcp_tool;

#[mcp_tool(description = " ")]
fn tool() {}

fn main() {}
