//! The `mcpfn` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcpfn::cli::main()
}
