use mcpfn_sdk::{Argument, ToolArguments, ToolOutput};

struct Opaque;

#[derive(ToolArguments)]
struct Request {
    opaque: Opaque,
}

#[derive(Argument)]
struct Part {
    opaque: Opaque,
}

#[derive(ToolOutput)]
struct Report {
    opaque: Opaque,
}

fn main() {}
