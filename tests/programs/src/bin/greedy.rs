//! Starts with more memory than a host gives.

use std::sync::Mutex;

use mcpfn_sdk::mcp_tool;

/// 80 MiB, over the default limit of 64 MiB.
static MEMORY: Mutex<[u8; 80 << 20]> = Mutex::new([0; 80 << 20]);

/// Reads a byte of a large memory.
#[mcp_tool]
fn greedy(
    /// Which byte.
    at: u32,
) -> Result<u8, &'static str> {
    let mut memory = MEMORY.lock().map_err(|_| "poisoned")?;
    let byte = memory.get_mut(at as usize).ok_or("out of range")?;
    *byte = byte.wrapping_add(1);
    Ok(*byte)
}

mcpfn_sdk::functions![greedy];

fn main() {}
