//! Schemas that are written by hand.

use mcpfn_sdk::mcp_tool;

/// Tool with JSON Schema 2020-12 features.
#[mcp_tool(input_schema = include_str!("json_schema_2020_12.json"))]
pub(crate) fn json_schema_2020_12_tool() -> &'static str {
    "ok"
}

/// Has an argument that clients repeat in a header.
#[mcp_tool(
    input_schema = r#"{ "type": "object", "properties": { "value": { "type": "string", "description": "Comes as Mcp-Param-Value, too.", "x-mcp-header": "Value" } } }"#
)]
pub(crate) fn test_custom_header() -> &'static str {
    "the header said the same"
}
