//! Never comes back.

use std::hint;

use mcpfn_sdk::mcp_tool;

/// Loops for ever, and says before that it will.
#[mcp_tool]
#[expect(clippy::print_stderr, reason = "it tells the test that the call has begun")]
fn loops_forever() {
    eprintln!("looping");
    let mut n_rounds = 0_u64;
    loop {
        n_rounds = hint::black_box(n_rounds.wrapping_add(1));
    }
}

mcpfn_sdk::functions![loops_forever];

fn main() {}
