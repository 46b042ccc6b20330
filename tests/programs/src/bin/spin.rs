//! Never comes back.

use std::hint;

use mcpfn_sdk::mcp_tool;

/// Loops for ever.
#[mcp_tool]
fn loops_forever() {
    let mut n_rounds = 0_u64;
    loop {
        n_rounds = hint::black_box(n_rounds.wrapping_add(1));
    }
}

mcpfn_sdk::functions![loops_forever];

fn main() {}
