use mcpfn_sdk::mcp_tool;

#[mcp_tool]
async fn tool() {}

fn main() {}
