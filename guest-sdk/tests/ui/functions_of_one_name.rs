use mcpfn_sdk::mcp_tool;

#[mcp_tool]
fn tool() {}

#[mcp_tool(name = "TOOL")]
fn other() {}

mcpfn_sdk::functions![tool, other];

fn main() {}
