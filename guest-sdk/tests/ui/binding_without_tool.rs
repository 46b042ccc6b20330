use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[blob_output(path = "x/a")]
fn tool() -> String {
    String::new()
}

fn main() {}
