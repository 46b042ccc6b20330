use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
#[blob_output(name = "fiel", path = "x/a")]
fn output(file: String) -> String {
    file
}

#[mcp_tool]
#[blob_input(path = "x/a")]
fn input(file: String) -> String {
    file
}

fn main() {}
