use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
fn tool(file: Out<String>) {
    file.set("a");
}

fn main() {}
