use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
fn nobody(
    #[blob_input(path = "box/a")] note: Option<String>,
    #[blob_output(path = "box/a", if_match = "not")] file: Out<String>,
) {
    file.set(note.unwrap_or_default());
}

#[mcp_tool]
#[blob_output(path = "box/b", if_match = "note")]
fn another(#[blob_input(path = "box/a")] note: Option<String>) -> String {
    note.unwrap_or_default()
}

#[mcp_tool]
#[blob_output(path = "box/a", if_match = "note", overwrite = false)]
fn both(#[blob_input(path = "box/a")] note: Option<String>) -> String {
    note.unwrap_or_default()
}

fn main() {}
