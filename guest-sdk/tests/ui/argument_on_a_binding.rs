use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
fn tool(
    #[blob_input(path = "x/a")]
    #[arg(min_length = 1)]
    file: String,
) -> String {
    file
}

fn main() {}
