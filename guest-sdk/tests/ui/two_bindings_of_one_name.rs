use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
#[blob_input(name = "a", path = "x/a")]
#[blob_input(name = "a", path = "x/b")]
fn tool(a: String) -> String {
    a
}

#[mcp_tool]
fn parameters(
    #[blob_input(path = "x/a")] a: String,
    #[blob_input(name = "a", path = "x/b")] b: String,
) -> String {
    a + &b
}

fn main() {}
