use mcpfn_sdk::{BlobList, BlobReader, BlobWriter, Container, mcp_tool};

#[mcp_tool]
fn reader(blob: BlobReader) {
    drop(blob);
}

#[mcp_tool]
fn list(blobs: BlobList) {
    drop(blobs);
}

#[mcp_tool]
fn writer(blob: BlobWriter) {
    drop(blob);
}

#[mcp_tool]
fn container(notes: Container) {
    drop(notes);
}

fn main() {}
