//! Several outputs, some of them not set.

use mcpfn_sdk::{Out, blob_output, mcp_tool};

/// Writes two blobs, the second one only if it gets a text for it.
#[mcp_tool]
fn writes_two(
    /// Names both blobs.
    name: String,
    /// What the first one holds.
    first: String,
    /// What the second one holds.
    second: Option<String>,
    #[blob_output(path = "outputs/{mcptoolargs.name}.first")] one: Out<String>,
    #[blob_output(path = "outputs/{mcptoolargs.name}.second")] two: Out<String>,
) -> &'static str {
    one.set(first);
    if let Some(second) = second {
        two.set(second);
    }
    "written"
}

/// Has an output whose path needs an argument that may be missing.
#[mcp_tool]
fn writes_maybe(
    /// The name of the blob.
    maybe: Option<String>,
    /// Whether to set the output.
    set: bool,
    #[blob_output(path = "outputs/{mcptoolargs.maybe}")] file: Out<String>,
) -> String {
    if set {
        file.set("set");
    }
    format!("maybe is {maybe:?}")
}

/// Writes what it returns and another blob, with the outputs declared above it.
#[mcp_tool]
#[blob_output(name = "copy", path = "outputs/{mcptoolargs.name}.copy")]
#[blob_output(name = "$return", path = "outputs/{mcptoolargs.name}.return")]
fn writes_return_and_copy(
    /// Names both blobs.
    name: String,
    /// What they hold.
    text: String,
    copy: Out<String>,
) -> String {
    copy.set(text.clone());
    text
}

mcpfn_sdk::functions![writes_two, writes_maybe, writes_return_and_copy];

fn main() {}
