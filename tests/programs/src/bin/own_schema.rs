//! Schemas that the tool gives itself.

use mcpfn_sdk::{
    ToolContext, mcp_tool,
    serde_json::{self, Value},
};

const ANSWER: &str =
    r#"{"type":"object","properties":{"answer":{"type":"integer"}},"required":["answer"]}"#;

/// Takes exactly what its schema says.
#[mcp_tool(
    input_schema = r#"{ "type": "object", "properties": { "n": { "type": "integer", "multipleOf": 2 } }, "required": ["n"], "additionalProperties": false }"#,
    output_schema = ANSWER
)]
fn own_schema(context: ToolContext) -> Result<Value, serde_json::Error> {
    let arguments: Value = context.arguments_as()?;
    Ok(serde_json::json!({ "answer": arguments["n"] }))
}

/// Has a schema that takes a time exponential in the depth of its argument, and hides its references.
#[mcp_tool(
    input_schema = r##"{ "type": "object", "additionalProperties": { "anyOf": [{ "\u0024ref": "#" }, { "\u0024ref": "#" }, { "\u0024ref": "#" }, { "\u0024ref": "#" }] }, "maxProperties": 1 }"##
)]
fn takes_for_ever() -> &'static str {
    "checked"
}

mcpfn_sdk::functions![own_schema, takes_for_ever];

fn main() {}
