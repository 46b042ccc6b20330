use mcpfn_sdk::mcp_tool;

#[mcp_tool(headers = ["Authorization"])]
fn authorization() {}

#[mcp_tool(headers = ["x-team", "cookie"])]
fn cookie() {}

#[mcp_tool(headers = ["Set-Cookie"])]
fn set_cookie() {}

#[mcp_tool(headers = ["proxy-authorization"])]
fn proxy() {}

#[mcp_tool(headers = ["X-Functions-Key"])]
fn functions_key() {}

#[mcp_tool(headers = ["X-Api-Key"])]
fn api_key() {}

#[mcp_tool(headers = ["no header"])]
fn no_header() {}

fn main() {}
