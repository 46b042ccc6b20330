//! Content blocks of every kind.

use mcpfn_sdk::{Content, Reply, blob_output, mcp_tool, serde_json::json};
use test_programs::{PNG, WAV};

/// Returns an image.
#[mcp_tool]
fn returns_image() -> Content {
    Content::image(PNG, "image/png")
}

/// Returns sound.
#[mcp_tool]
fn returns_audio() -> Content {
    Content::audio(WAV, "audio/wav")
}

/// Returns an embedded resource with text.
#[mcp_tool]
fn returns_resource() -> Content {
    Content::resource("test://blocks/text", "text/plain", "embedded")
}

/// Returns an embedded resource with bytes.
#[mcp_tool]
fn returns_resource_bytes() -> Content {
    Content::resource_bytes("test://blocks/bytes", "application/octet-stream", [0, 255])
}

/// Returns a link to a resource.
#[mcp_tool]
fn returns_link() -> Content {
    Content::link("test://blocks/link", "a link")
}

/// Returns several blocks, with annotations and `_meta`.
#[mcp_tool]
fn returns_mixed() -> Reply {
    Reply::text("first")
        .with(Content::image(PNG, "image/png").annotated(json!({ "priority": 0.5 })))
        .with(Content::text("last").with_meta(json!({ "example.com/block": 1 })))
        .with_meta(json!({ "example.com/reply": true }))
}

/// Returns nothing.
#[mcp_tool]
fn returns_nothing(
    /// A text to return instead.
    text: Option<String>,
) -> Option<String> {
    text
}

/// Writes the one image that it returns.
#[mcp_tool]
#[blob_output(path = "blocks/image.png")]
fn writes_image() -> Content {
    Content::image(PNG, "image/png")
}

/// Returns two blocks, which no blob can hold.
#[mcp_tool]
#[blob_output(path = "blocks/two")]
fn writes_two_blocks() -> Vec<Content> {
    vec![Content::text("one"), Content::text("two")]
}

mcpfn_sdk::functions![
    returns_image,
    returns_audio,
    returns_resource,
    returns_resource_bytes,
    returns_link,
    returns_mixed,
    returns_nothing,
    writes_image,
    writes_two_blocks,
];

fn main() {}
