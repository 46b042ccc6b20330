use mcpfn_sdk::{Argument, ToolArguments, ToolOutput};

#[derive(Argument)]
enum Shape {
    Circle(f64),
}

#[derive(Argument)]
enum Nothing {}

#[derive(Argument)]
struct Tuple(String);

#[derive(ToolArguments)]
struct Generic<T> {
    value: T,
}

#[derive(ToolArguments)]
enum Choice {
    A,
}

#[derive(Argument)]
#[arg(rename_all = "camelcase")]
enum Casing {
    A,
}

#[derive(Argument)]
enum Same {
    A,
    #[arg(name = "A")]
    B,
}

#[derive(ToolOutput)]
struct Flat {
    #[serde(flatten)]
    value: Option<u8>,
}

fn main() {}
