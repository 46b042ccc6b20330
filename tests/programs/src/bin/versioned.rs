//! Says which version it is. Tests make other versions of it by writing over the text of this one.

use std::{hint::black_box, thread, time::Duration};

use mcpfn_sdk::mcp_tool;

/// What tests write over.
const VERSION: &str = "this is version 1 of the program";

/// Says which version it is.
#[mcp_tool]
fn version() -> &'static str {
    black_box(VERSION)
}

/// Says which version it is, after a while.
#[mcp_tool]
#[expect(clippy::print_stderr, reason = "it tells the test that the call has begun")]
fn slow_version(
    /// How many milliseconds.
    ms: u32,
) -> &'static str {
    eprintln!("waiting");
    thread::sleep(Duration::from_millis(ms.into()));
    black_box(VERSION)
}

mcpfn_sdk::functions![version, slow_version];

fn main() {}
