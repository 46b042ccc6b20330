//! Answers more than anyone wants.

use mcpfn_sdk::mcp_tool;

/// Returns 100 MiB of text.
#[mcp_tool]
fn returns_100_mib() -> String {
    "x".repeat(100 << 20)
}

/// Returns a text of a size.
#[mcp_tool]
fn returns_text(
    /// How many bytes.
    bytes: u32,
) -> String {
    "x".repeat(bytes as usize)
}

/// Returns a text of so many mebibytes.
#[mcp_tool]
fn returns_bytes(
    /// How many mebibytes.
    mib: u32,
) -> String {
    "x".repeat((mib as usize) << 20)
}

mcpfn_sdk::functions![returns_100_mib, returns_text, returns_bytes];

fn main() {}
