use mcpfn_sdk::mcp_tool;

#[mcp_tool(nmae = "a")]
fn tool() {}

fn main() {}
