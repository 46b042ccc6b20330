use mcpfn_sdk::mcp_tool;

struct Opaque;

#[mcp_tool]
fn tool(opaque: Opaque) {
    let Opaque = opaque;
}

#[mcp_tool]
fn list(opaques: Vec<Opaque>) {
    drop(opaques);
}

#[mcp_tool]
fn borrowed(text: &str) -> String {
    text.to_owned()
}

#[mcp_tool]
fn anything(text: impl ToString) -> String {
    text.to_string()
}

fn main() {}
