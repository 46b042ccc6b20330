use mcpfn_sdk::mcp_tool;

struct Tools;

impl Tools {
    #[mcp_tool]
    fn tool(&self) {}
}

fn main() {}
