//! The fixtures of the official conformance suite, as far as they are tools and nothing else.

use mcpfn_sdk::{Content, mcp_tool};
use test_programs::{PNG, WAV};

/// Tests simple text content.
#[mcp_tool]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Tests an error result.
#[mcp_tool]
fn test_error_handling() -> Result<(), &'static str> {
    Err("This tool intentionally returns an error for testing")
}

/// Tests image content.
#[mcp_tool]
fn test_image_content() -> Content {
    Content::image(PNG, "image/png")
}

/// Tests audio content.
#[mcp_tool]
fn test_audio_content() -> Content {
    Content::audio(WAV, "audio/wav")
}

/// Tests embedded resource content.
#[mcp_tool]
fn test_embedded_resource() -> Content {
    Content::resource(
        "test://embedded-resource",
        "text/plain",
        "This is an embedded resource content.",
    )
}

/// Tests several types of content at once.
#[mcp_tool]
fn test_multiple_content_types() -> Vec<Content> {
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

/// Tool with JSON Schema 2020-12 features.
#[mcp_tool(input_schema = include_str!("json_schema_2020_12.json"))]
fn json_schema_2020_12_tool() -> &'static str {
    "ok"
}

/// Has an argument that clients repeat in a header.
#[mcp_tool(
    input_schema = r#"{ "type": "object", "properties": { "value": { "type": "string", "description": "Comes as Mcp-Param-Value, too.", "x-mcp-header": "Value" } } }"#
)]
fn test_custom_header() -> &'static str {
    "the header said the same"
}

mcpfn_sdk::functions![
    test_custom_header,
    test_simple_text,
    test_error_handling,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    json_schema_2020_12_tool,
];

fn main() {}
