use mcpfn_sdk::{mcp_prompt, mcp_resource};

#[mcp_prompt]
fn prompt(#[arg(min = 1)] n: u8) -> String {
    n.to_string()
}

#[mcp_resource(uri = "n://{n}")]
fn resource(#[arg(default = 1)] n: u8) -> String {
    n.to_string()
}

#[mcp_prompt(output_schema = "{}")]
fn output() -> String {
    String::new()
}

#[mcp_prompt(name = "a prompt")]
fn name() -> String {
    String::new()
}

fn main() {}
