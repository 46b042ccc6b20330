use mcpfn_sdk::{Ask, ToolContext, mcp_resource};

#[mcp_resource(uri = "notes://{folder}/{title}")]
fn variable(folder: String, titel: String, context: ToolContext, ask: Ask) -> String {
    folder + &titel
}

#[mcp_resource(uri = "notes://all")]
fn parameter(title: String) -> String {
    title
}

#[mcp_resource(uri = "notes://{title}")]
fn renamed(#[arg(name = "name")] title: String) -> String {
    title
}

fn main() {}
