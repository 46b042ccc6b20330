use mcpfn_sdk::mcp_resource;

#[mcp_resource(uri = "notes/{title}")]
fn no_scheme(title: String) -> String {
    title
}

#[mcp_resource(uri = "notes://{title")]
fn open(title: String) -> String {
    title
}

#[mcp_resource(uri = "notes://title}")]
fn closed(title: String) -> String {
    title
}

#[mcp_resource(uri = "notes://{?title}")]
fn query(title: String) -> String {
    title
}

#[mcp_resource(uri = "notes://{title}/{title}")]
fn twice(title: String) -> String {
    title
}

fn main() {}
