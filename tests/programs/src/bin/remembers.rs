//! Would remember, if an instance lived longer than a call.

use std::sync::atomic::{AtomicU32, Ordering};

use mcpfn_sdk::mcp_tool;

static N_CALLS: AtomicU32 = AtomicU32::new(0);

/// Says how often this instance was called before: never.
#[mcp_tool]
fn remembers() -> u32 {
    N_CALLS.fetch_add(1, Ordering::Relaxed)
}

mcpfn_sdk::functions![remembers];

fn main() {}
