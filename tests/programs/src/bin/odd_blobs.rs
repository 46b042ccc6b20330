//! Blobs under names that a client chooses.

use mcpfn_sdk::{blob_input, blob_output, mcp_tool};

/// Writes a blob.
#[mcp_tool]
#[blob_output(name = "$return", path = "odd/{mcptoolargs.name}")]
fn put_blob(
    /// The name of the blob.
    name: String,
    /// What it holds.
    content: String,
) -> String {
    content
}

/// Reads a blob, and fails if there is none.
#[mcp_tool]
fn read_blob(
    /// The name of the blob.
    name: String,
    #[blob_input(path = "odd/{mcptoolargs.name}")] content: String,
) -> String {
    content
}

/// Writes a blob under a path that may have several parts.
#[mcp_tool]
#[blob_output(path = "odd/deep/{mcptoolargs.name:path}")]
fn put_deep_blob(
    /// The name of the blob, with slashes.
    name: String,
    /// What it holds.
    content: String,
) -> String {
    content
}

mcpfn_sdk::functions![put_blob, read_blob, put_deep_blob];

fn main() {}
