use mcpfn_sdk::{Out, blob_output, mcp_prompt, mcp_resource};

#[mcp_prompt]
#[blob_output(path = "a/a")]
fn prompt() -> String {
    String::new()
}

#[blob_output(path = "a/a")]
#[mcp_resource(uri = "test://a")]
fn resource() -> String {
    String::new()
}

#[mcp_prompt]
fn parameter(#[blob_output(path = "a/a")] file: Out<String>) -> String {
    String::new()
}

fn main() {}
