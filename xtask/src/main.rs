//! What a developer of mcpfn runs: `cargo xtask COMMAND`.

fn main() {}
