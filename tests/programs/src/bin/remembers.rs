//! Would remember, if an instance lived longer than a call.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use mcpfn_sdk::mcp_tool;

static N_CALLS: AtomicU32 = AtomicU32::new(0);

/// Says how often this instance was called before: never.
#[mcp_tool]
fn remembers(
    /// How many milliseconds it takes.
    ms: Option<u32>,
    /// Whether it fails instead.
    fails: Option<bool>,
) -> u32 {
    let n_calls = N_CALLS.fetch_add(1, Ordering::Relaxed);
    thread::sleep(Duration::from_millis(ms.unwrap_or_default().into()));
    assert!(!fails.unwrap_or_default(), "it was asked to");
    n_calls
}

mcpfn_sdk::functions![remembers];

fn main() {}
