use mcpfn_sdk::mcp_tool;

#[mcp_tool(read_only)]
fn tool() {}

fn main() {}
