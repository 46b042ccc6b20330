use mcpfn_sdk::mcp_tool;

#[mcp_tool]
fn key(#[arg(minimum = 1)] a: u8) -> u8 {
    a
}

#[mcp_tool]
fn value(#[arg(min = "1")] a: u8) -> u8 {
    a
}

#[mcp_tool]
fn length(#[arg(min_length = -1)] a: String) -> String {
    a
}

#[mcp_tool]
fn items(#[arg(max_items = 1.5)] a: Vec<u8>) -> Vec<u8> {
    a
}

#[mcp_tool]
fn pattern(#[arg(pattern = 1)] a: String) -> String {
    a
}

#[mcp_tool]
fn order(#[arg(min = 2, max = 1)] a: u8) -> u8 {
    a
}

fn main() {}
