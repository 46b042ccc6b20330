use mcpfn_sdk::mcp_tool;

#[mcp_tool]
fn tool<T>() {}

#[mcp_tool]
fn constant<const N: usize>() {}

#[mcp_tool]
fn where_clause()
where
    String: Clone,
{
}

fn main() {}
