//! Bytes in and out.

use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

/// Writes bytes.
#[mcp_tool]
fn put_bytes(
    /// The name of the blob.
    name: String,
    /// The bytes.
    bytes: Vec<u8>,
    #[blob_output(path = "bytes/{mcptoolargs.name}")] file: Out<Vec<u8>>,
) -> String {
    let n_bytes = bytes.len();
    file.set(bytes);
    format!("{n_bytes} bytes")
}

/// Reads bytes, and answers with their values.
#[mcp_tool]
fn get_bytes(
    /// The name of the blob.
    name: String,
    #[blob_input(path = "bytes/{mcptoolargs.name}")] bytes: Option<Vec<u8>>,
) -> String {
    format!("{bytes:?}")
}

/// Returns the bytes themselves, and writes them too.
#[mcp_tool]
#[blob_output(path = "bytes/{mcptoolargs.name}.copy")]
fn return_bytes(
    /// The name of the blob.
    name: String,
    #[blob_input(path = "bytes/{mcptoolargs.name}")] bytes: Vec<u8>,
) -> Vec<u8> {
    bytes
}

mcpfn_sdk::functions![put_bytes, get_bytes, return_bytes];

fn main() {}
