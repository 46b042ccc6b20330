use mcpfn_sdk::{Content, PromptMessage, mcp_prompt, mcp_resource};

struct Opaque;

#[mcp_resource(uri = "test://opaque")]
fn opaque() -> Opaque {
    Opaque
}

#[mcp_resource(uri = "test://blocks")]
fn blocks() -> Vec<Content> {
    Vec::new()
}

#[mcp_resource(uri = "test://nothing")]
fn nothing() {}

#[mcp_prompt]
fn number() -> u8 {
    1
}

#[mcp_prompt]
fn maybe() -> Option<PromptMessage> {
    None
}

#[mcp_prompt]
fn fallible() -> Result<String, Opaque> {
    Err(Opaque)
}

fn main() {}
