use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
#[blob_output]
fn tool() -> String {
    String::new()
}

#[mcp_tool]
fn empty(#[blob_input(path = "")] a: String) -> String {
    a
}

#[mcp_tool]
fn bare(#[blob_input("a/b")] a: String) -> String {
    a
}

fn main() {}
