//! Fails on purpose.

use mcpfn_sdk::{Reply, blob_output, mcp_tool};

/// Fails with a message, and would write a blob otherwise.
#[mcp_tool]
#[blob_output(path = "failures/written.txt")]
fn fails(
    /// The message; without one it succeeds.
    message: Option<String>,
) -> Result<String, String> {
    message.map_or_else(|| Ok("no failure".into()), Err)
}

/// Answers with an error reply, and would write a blob otherwise.
#[mcp_tool]
#[blob_output(path = "failures/replied.txt")]
fn replies_with_error(
    /// The message.
    message: String,
) -> Reply {
    Reply::text(message).error()
}

mcpfn_sdk::functions![fails, replies_with_error];

fn main() {}
