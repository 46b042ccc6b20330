use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
fn parameter(#[blob_output(name = "$return", path = "x/a")] a: Out<String>) {
    a.set("a");
}

#[mcp_tool]
#[blob_input(name = "$return", path = "x/a")]
fn input() {}

fn main() {}
