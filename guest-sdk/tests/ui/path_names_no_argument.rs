use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
#[blob_output(path = "snippets/{mcptoolargs.snippetnam}.json")]
fn tool(snippetname: String, snippet: String) -> String {
    snippetname + &snippet
}

#[mcp_tool]
fn none(#[blob_input(path = "a/{mcptoolargs.name}")] a: String) -> String {
    a
}

#[mcp_tool]
fn case(
    #[blob_input(path = "a/{mcptoolargs.NAME}")] a: String,
    name: String,
    Name: String,
) -> String {
    a + &name + &Name
}

fn main() {}
