use mcpfn_sdk::{blob_input, mcp_prompt, mcp_resource};

#[mcp_prompt]
fn prompt(name: String, #[blob_input(path = "a/{mcptoolargs.name}")] note: String) -> String {
    name + &note
}

#[mcp_resource(uri = "test://{name}")]
fn resource(name: String, #[blob_input(path = "a/{mcpresourceargs.nam}")] note: String) -> String {
    name + &note
}

fn main() {}
