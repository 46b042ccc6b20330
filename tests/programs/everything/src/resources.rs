//! Resources: fixed ones, one that clients watch, and a template.

use mcpfn_sdk::{ToolOutput, mcp_resource};
use test_programs::PNG;

/// A text that is always the same.
#[mcp_resource(
    uri = "test://static-text",
    name = "Static text",
    mime_type = "text/plain",
    size = 48,
    annotations = r#"{ "audience": ["user", "assistant"], "priority": 0.5 }"#
)]
pub(crate) fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// An image of one pixel.
#[mcp_resource(uri = "test://static-binary", name = "Static image", mime_type = "image/png")]
pub(crate) fn static_binary() -> Vec<u8> {
    PNG.to_vec()
}

/// What the template gives.
#[derive(ToolOutput)]
#[output(rename_all = "camelCase")]
pub(crate) struct FromTemplate {
    id: String,
    template_test: bool,
    data: String,
}

/// The data of an id.
#[mcp_resource(
    uri = "test://template/{id}/data",
    name = "Data of an id",
    mime_type = "application/json"
)]
pub(crate) fn template(id: String) -> FromTemplate {
    let data = format!("Data for ID: {id}");
    FromTemplate { id, template_test: true, data }
}

/// A text that clients watch; `test_trigger_resource_update` says that it has changed.
#[mcp_resource(uri = "test://watched-resource", name = "Watched text", mime_type = "text/plain")]
pub(crate) fn watched() -> &'static str {
    "This text is said to change."
}
