use mcpfn_sdk::{Ask, Stop, mcp_tool};

#[mcp_tool]
fn tool(ask: &Ask) -> Result<String, Stop> {
    ask.url("page", "https://example.com", "Open it")?;
    Ok(String::new())
}

fn main() {}
