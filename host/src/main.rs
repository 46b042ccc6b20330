//! The `mcpfn` program.

fn main() {}
