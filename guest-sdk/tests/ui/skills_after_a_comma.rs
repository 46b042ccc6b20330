use mcpfn_sdk::mcp_tool;

#[mcp_tool]
fn tool() {}

mcpfn_sdk::functions![tool, skills = ["skills/sums"]];

fn main() {}
