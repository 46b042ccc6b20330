use mcpfn_sdk::{BlobList, BlobWriter, Delete, Out, blob_input, blob_output, mcp_tool};

#[mcp_tool]
fn text(#[blob_input(path = "box/a", max_items = 3)] a: String) {
    drop(a);
}

#[mcp_tool]
fn list(#[blob_input(path = "box/a/", max_bytes = 3)] a: Option<BlobList>) {
    drop(a);
}

#[mcp_tool]
fn deletion(#[blob_output(path = "box/a", content_type = "text/plain")] a: Out<Delete>) {
    a.delete();
}

#[mcp_tool]
fn pieces(#[blob_output(path = "box/a", overwrite = false)] a: BlobWriter) {
    drop(a);
}

#[mcp_tool]
fn zero(#[blob_input(path = "box/a", max_bytes = 0)] a: String) {
    drop(a);
}

fn main() {}
