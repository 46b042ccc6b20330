use mcpfn_sdk::{Ask, mcp_tool};

#[mcp_tool]
fn swallows(ask: Ask) -> Result<String, String> {
    Ok(ask.sample("a", "a", 1)?)
}

#[mcp_tool]
fn boxed(ask: Ask) -> Result<String, Box<dyn std::error::Error>> {
    Ok(ask.sample("a", "a", 1)?)
}

fn main() {}
