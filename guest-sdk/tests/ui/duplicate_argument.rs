use mcpfn_sdk::{ToolArguments, mcp_tool};

#[mcp_tool]
fn tool(a: String, #[arg(name = "a")] b: String) -> String {
    a + &b
}

#[derive(ToolArguments)]
#[arg(rename_all = "lowercase")]
struct Request {
    ab: String,
    a_b: String,
}

fn main() {}
