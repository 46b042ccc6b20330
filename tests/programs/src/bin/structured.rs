//! Structured results.

use std::collections::BTreeMap;

use mcpfn_sdk::{
    Content, Reply, ToolOutput, mcp_tool,
    serde::Serialize,
    serde_json::{Value, json},
};

#[derive(ToolOutput)]
#[output(rename_all = "lowercase")]
enum Sky {
    Clear,
    Cloudy,
}

#[derive(ToolOutput)]
#[output(rename_all = "camelCase")]
struct Weather {
    /// Degrees Celsius.
    temperature: f64,
    sky: Sky,
    wind: Option<Wind>,
    rain_by_hour: BTreeMap<String, f64>,
}

#[derive(ToolOutput)]
struct Wind {
    /// Meters per second.
    speed: u32,
}

#[derive(Serialize)]
#[serde(crate = "mcpfn_sdk::serde")]
struct Point {
    x: i32,
    y: i32,
}

/// Returns structured content with a schema.
#[mcp_tool]
fn structured(
    /// Whether there is wind.
    windy: bool,
) -> Weather {
    let sky = if windy { Sky::Cloudy } else { Sky::Clear };
    let rain_by_hour = BTreeMap::from([("12".to_owned(), 0.5)]);
    Weather { temperature: 21.5, sky, wind: windy.then_some(Wind { speed: 7 }), rain_by_hour }
}

/// Returns structured content, or nothing.
#[mcp_tool]
fn maybe_structured(
    /// Whether there is any.
    any: bool,
) -> Option<Weather> {
    any.then(|| structured(false))
}

/// Returns structured content that serde writes, without a schema.
#[mcp_tool]
fn by_serde() -> Result<Point, String> {
    Ok(Point { x: 1, y: -1 })
}

/// Returns structured content beside a text of its own.
#[mcp_tool]
fn structured_reply() -> Reply {
    Reply::text("two points").structured([Point { x: 0, y: 0 }, Point { x: 1, y: 1 }])
}

/// Returns structured content that does not fit its output schema.
#[mcp_tool(
    output_schema = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#
)]
fn off_schema() -> Value {
    json!({ "n": "not a number" })
}

/// Returns structured content that is a list, with a schema.
#[mcp_tool(output_schema = r#"{"type":"array","items":{"type":"integer"}}"#)]
fn listed() -> Value {
    json!([1, 2])
}

/// Members that are not in the order of their names.
#[derive(Serialize)]
#[serde(crate = "mcpfn_sdk::serde")]
struct Unordered {
    z: f64,
    a: [(); 1],
}

/// Returns what the protocol does not know.
#[mcp_tool]
fn returns_unknown() -> Reply {
    let block =
        json!({ "type": "text", "text": "t", "aUnknown": { "b": [1.5, null] }, "zUnknown": "" });
    Reply::new()
        .with(Content::other(block))
        .with_meta(json!({ "b.example/x": [], "a.example/y": { "c": 1 } }))
        .structured(Unordered { z: 1.0, a: [()] })
}

mcpfn_sdk::functions![
    structured,
    maybe_structured,
    by_serde,
    structured_reply,
    off_schema,
    listed,
    returns_unknown,
];

fn main() {}
