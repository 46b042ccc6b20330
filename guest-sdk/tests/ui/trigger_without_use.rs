use mcpfn_sdk::blob_output;

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
#[blob_output(path = "notes/{mcptoolargs.title}.txt")]
#[blob_output(path = "notes/{mcptoolargs.title}.bak")]
fn twice(title: String) -> String {
    title
}

fn main() {}
