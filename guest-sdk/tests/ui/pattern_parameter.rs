use mcpfn_sdk::mcp_tool;

#[mcp_tool]
fn tool((a, b): (String, String)) -> String {
    a + &b
}

fn main() {}
