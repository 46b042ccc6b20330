//! A path that names none of the fields of a struct: the macro cannot see them, the host can.

use mcpfn_sdk::{ToolArguments, blob_output, mcp_tool};

#[derive(ToolArguments)]
struct Request {
    /// A name.
    name: String,
}

/// Cannot be loaded.
#[mcp_tool]
#[blob_output(path = "files/{mcptoolargs.title}")]
fn no_such_argument(request: Request) -> String {
    request.name
}

mcpfn_sdk::functions![no_such_argument];

fn main() {}
