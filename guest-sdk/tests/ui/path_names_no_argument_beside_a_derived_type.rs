use mcpfn_sdk::{Argument, blob_input, mcp_tool};

#[derive(Argument)]
enum Color {
    Red,
}

#[mcp_tool]
fn tool(color: Color, #[blob_input(path = "a/{mcptoolargs.colour}")] a: String) -> String {
    let Color::Red = color;
    a
}

fn main() {}
