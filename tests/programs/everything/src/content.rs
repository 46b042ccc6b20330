//! What a tool can answer.

use mcpfn_sdk::{Content, mcp_tool};
use test_programs::{PNG, WAV};

/// Tests simple text content.
#[mcp_tool]
pub(crate) fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Tests an error result.
#[mcp_tool]
pub(crate) fn test_error_handling() -> Result<(), &'static str> {
    Err("This tool intentionally returns an error for testing")
}

/// Tests image content.
#[mcp_tool]
pub(crate) fn test_image_content() -> Content {
    Content::image(PNG, "image/png")
}

/// Tests audio content.
#[mcp_tool]
pub(crate) fn test_audio_content() -> Content {
    Content::audio(WAV, "audio/wav")
}

/// Tests embedded resource content.
#[mcp_tool]
pub(crate) fn test_embedded_resource() -> Content {
    Content::resource(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    )
}

/// Tests several types of content at once.
#[mcp_tool]
pub(crate) fn test_multiple_content_types() -> Vec<Content> {
    vec![
        Content::text("Multiple content types test:"),
        Content::image(PNG, "image/png"),
        Content::resource(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        ),
    ]
}
