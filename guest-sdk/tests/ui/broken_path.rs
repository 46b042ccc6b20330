use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
fn open(name: String, #[blob_input(path = "a/{mcptoolargs.name")] a: String) -> String {
    a + &name
}

#[mcp_tool]
fn close(#[blob_input(path = "a/}")] a: String) -> String {
    a
}

#[mcp_tool]
fn empty(#[blob_input(path = "a/{}")] a: String) -> String {
    a
}

#[mcp_tool]
fn root(#[blob_input(path = "a/{mcptoolargs}")] a: String) -> String {
    a
}

fn main() {}
