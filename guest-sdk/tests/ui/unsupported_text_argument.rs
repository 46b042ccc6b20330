use mcpfn_sdk::{Argument, ToolArguments, mcp_prompt, mcp_resource};

#[derive(Argument)]
struct Place {
    town: String,
}

#[derive(ToolArguments)]
struct All {
    town: String,
}

#[mcp_prompt]
fn list(towns: Vec<String>) -> String {
    towns.join(" ")
}

#[mcp_resource(uri = "test://{place}")]
fn object(place: Place) -> String {
    place.town
}

#[mcp_prompt]
fn all(all: All) -> String {
    all.town
}

#[mcp_prompt]
fn borrowed(town: &str) -> String {
    town.to_owned()
}

fn main() {}
