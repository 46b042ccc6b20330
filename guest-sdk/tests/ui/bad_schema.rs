use mcpfn_sdk::mcp_tool;

#[mcp_tool(input_schema = "{")]
fn no_json() {}

#[mcp_tool(input_schema = "[]")]
fn no_object() {}

#[mcp_tool(input_schema = r#"{"type":"string"}"#)]
fn no_object_type() {}

#[mcp_tool(output_schema = 1)]
fn no_text() {}

#[mcp_tool(meta = "1")]
fn meta() {}

fn main() {}
