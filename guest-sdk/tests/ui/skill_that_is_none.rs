use mcpfn_sdk::mcp_tool;

#[mcp_tool]
fn tool() {}

mcpfn_sdk::functions![tool; skills = ["skills/absent"]];

mod twice {
    mcpfn_sdk::functions![super::tool; skills = ["skills/a", "skills/a"]];
}

fn main() {}
