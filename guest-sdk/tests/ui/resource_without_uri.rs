use mcpfn_sdk::mcp_resource;

#[mcp_resource]
fn bare() -> String {
    String::new()
}

#[mcp_resource(mime_type = "text/plain")]
fn other_keys() -> String {
    String::new()
}

#[mcp_resource(ur = "test://a")]
fn misspelled() -> String {
    String::new()
}

fn main() {}
