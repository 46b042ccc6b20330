use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
fn tool(#[blob_output(path = "x/a")] file: String) -> String {
    file
}

#[mcp_tool]
fn input(#[blob_input(path = "x/a")] file: Out<String>) {
    file.set("a");
}

fn main() {}
