use mcpfn_sdk::mcp_tool;

#[mcp_tool]
#[blob_output(path = "notes/{mcptoolargs.title}.txt")]
fn below(title: String) -> String {
    title
}

#[blob_output(path = "notes/{mcptoolargs.title}.txt")]
#[mcp_tool]
fn above(title: String) -> String {
    title
}

#[mcp_tool]
fn parameter(#[blob_input(path = "notes/a.txt")] text: String) -> String {
    text
}

fn main() {}
