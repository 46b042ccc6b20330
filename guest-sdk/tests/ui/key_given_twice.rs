use mcpfn_sdk::mcp_tool;

#[mcp_tool(name = "a", title = "b", name = "c")]
fn tool() {}

fn main() {}
