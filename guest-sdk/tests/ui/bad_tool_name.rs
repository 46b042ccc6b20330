use mcpfn_sdk::mcp_tool;

#[mcp_tool(name = "save snippet")]
fn tool() {}

#[mcp_tool(name = "")]
fn unnamed() {}

#[mcp_tool(name = "a/name-of-sixty-five-characters-is-one-more-than-the-host-accepts")]
fn long() {}

#[mcp_tool]
fn größe() {}

fn main() {}
