use mcpfn_sdk::mcp_tool;

#[mcp_tool]
fn number(#[arg(min = 1)] a: String) -> String {
    a
}

#[mcp_tool]
fn text(#[arg(max_length = 1)] a: Option<u8>) -> Option<u8> {
    a
}

#[mcp_tool]
fn list(#[arg(min_items = 1)] a: String) -> String {
    a
}

#[mcp_tool]
fn pattern(#[arg(pattern = "a")] a: bool) -> bool {
    a
}

fn main() {}
