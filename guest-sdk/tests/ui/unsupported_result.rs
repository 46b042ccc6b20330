use mcpfn_sdk::mcp_tool;

struct Opaque;

#[mcp_tool]
fn tool() -> Opaque {
    Opaque
}

#[mcp_tool]
fn fallible() -> Result<Opaque, String> {
    Ok(Opaque)
}

#[mcp_tool]
fn error() -> Result<(), Opaque> {
    Ok(())
}

fn main() {}
