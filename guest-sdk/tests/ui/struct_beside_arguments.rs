use mcpfn_sdk::{ToolArguments, mcp_tool};

#[derive(ToolArguments)]
struct Request {
    a: String,
}

#[mcp_tool]
fn tool(request: Request, b: String) -> String {
    request.a + &b
}

fn main() {}
