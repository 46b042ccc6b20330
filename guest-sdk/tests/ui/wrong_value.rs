use mcpfn_sdk::mcp_tool;

#[mcp_tool(read_only = "yes")]
fn tool() {}

#[mcp_tool(title = 1)]
fn title() {}

#[mcp_tool(headers = "x-a")]
fn headers() {}

fn main() {}
