use mcpfn_sdk::{Argument, mcp_tool};

#[derive(Argument)]
enum Color {
    Red,
}

#[mcp_tool]
fn text(#[arg(default = 1)] a: String) -> String {
    a
}

#[mcp_tool]
fn number(#[arg(default = "1")] a: u8) -> u8 {
    a
}

#[mcp_tool]
fn fraction(#[arg(default = 1.5)] a: u8) -> u8 {
    a
}

#[mcp_tool]
fn too_large(#[arg(default = 256)] a: u8) -> u8 {
    a
}

#[mcp_tool]
fn boolean(#[arg(default = true)] a: u8) -> u8 {
    a
}

#[mcp_tool]
fn out_of_range(#[arg(default = 0, min = 1)] a: u8) -> u8 {
    a
}

#[mcp_tool]
fn unknown_value(#[arg(default = "Blue")] a: Color) {
    let Color::Red = a;
}

#[mcp_tool]
fn optional(#[arg(default = 1)] a: Option<u8>) -> Option<u8> {
    a
}

#[mcp_tool]
fn expression(#[arg(default = Vec::new())] a: Vec<u8>) -> Vec<u8> {
    a
}

fn main() {}
