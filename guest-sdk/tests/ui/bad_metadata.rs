use mcpfn_sdk::{blob_output, mcp_tool};

#[mcp_tool]
#[blob_output(path = "box/a", metadata = "x")]
fn text() -> String {
    String::new()
}

#[mcp_tool]
#[blob_output(path = "box/a", metadata(author = "a", Author = "b"))]
fn twice() -> String {
    String::new()
}

#[mcp_tool]
#[blob_output(path = "box/a", metadata(größe = "a"))]
fn letters() -> String {
    String::new()
}

#[mcp_tool]
#[blob_output(path = "box/a", metadata(author = 1))]
fn number() -> String {
    String::new()
}

#[mcp_tool]
#[blob_output(path = "box/a", metadata(author = "{mcptoolargs.auther}"))]
fn unknown(author: String) -> String {
    author
}

#[mcp_tool]
#[blob_output(path("box/a"))]
fn group() -> String {
    String::new()
}

fn main() {}
