use mcpfn_sdk::{mcp_tool, serde::Serialize};

#[derive(Serialize)]
#[serde(crate = "mcpfn_sdk::serde")]
struct Point {
    x: i32,
}

type Answer = Result<Point, String>;

#[mcp_tool]
fn tool() -> Answer {
    Ok(Point { x: 1 })
}

fn main() {}
