use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
#[blob_output(name = "$return", path = "x/a")]
#[blob_output(name = "$return", path = "x/b")]
fn tool() -> String {
    String::new()
}

#[mcp_tool]
#[blob_output(path = "x/a")]
#[blob_output(path = "x/b")]
fn unnamed() -> String {
    String::new()
}

fn main() {}
