use mcpfn_sdk::{blob_input, mcp_resource};

#[mcp_resource(uri = "note://{name}")]
fn note(name: String, #[blob_input(path = "notes/{nmae}.txt")] text: String) -> String {
    name + &text
}

#[mcp_resource(uri = "news://today")]
fn news(#[blob_input(path = "news/{DateTime}/{rand-guid}")] text: String) -> String {
    text
}

fn main() {}
