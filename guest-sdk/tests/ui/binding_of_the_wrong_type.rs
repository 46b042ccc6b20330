use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

struct Opaque;

#[mcp_tool]
fn input(#[blob_input(path = "x/a")] file: Opaque) {
    let Opaque = file;
}

#[mcp_tool]
fn output(#[blob_output(path = "x/a")] file: Out<Opaque>) {
    file.set(Opaque);
}

fn main() {}
