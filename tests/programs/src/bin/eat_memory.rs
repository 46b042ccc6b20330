//! Takes memory until there is none.

use std::hint;

use mcpfn_sdk::mcp_tool;

/// Takes a megabyte at a time, and never gives one back.
#[mcp_tool]
fn eats_memory() {
    let mut eaten: Vec<Vec<u8>> = Vec::new();
    loop {
        // Written to, so that it is really there.
        eaten.push(hint::black_box(vec![1; 1 << 20]));
    }
}

mcpfn_sdk::functions![eats_memory];

fn main() {}
