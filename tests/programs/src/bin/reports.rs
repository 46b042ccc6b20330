//! Says a lot while it runs.

use std::{hint, thread, time::Duration};

use mcpfn_sdk::{log, mcp_tool, progress};

/// Reports its progress in steps without a pause, then answers at once.
#[mcp_tool]
fn reports(
    /// How many steps.
    steps: u32,
    /// How many milliseconds pass after the first one.
    #[arg(default = 0)]
    ms: u32,
) -> String {
    for step in 1..=steps {
        progress::report(step, Some(f64::from(steps)), None);
        if step == 1 {
            thread::sleep(Duration::from_millis(ms.into()));
        }
    }
    format!("{steps} steps")
}

/// Reports progress that goes back and forth.
#[mcp_tool]
fn reports_in_disorder() {
    for done in [1.0, 1.0, 0.5, f64::NAN, 2.5, f64::INFINITY, 2.0, 3.0] {
        progress::report(done, None, None);
    }
}

/// Writes many lines into the log, with a number each.
#[mcp_tool]
fn logs(
    /// How many lines.
    lines: u32,
) -> String {
    for line in 1..=lines {
        log::info!("line {line}");
    }
    format!("{lines} lines")
}

/// Reports once, then loops for ever.
#[mcp_tool]
fn reports_then_spins() {
    progress::report(1, None, None);
    let mut n_rounds = 0_u64;
    loop {
        n_rounds = hint::black_box(n_rounds.wrapping_add(1));
    }
}

mcpfn_sdk::functions![reports, reports_in_disorder, logs, reports_then_spins];

fn main() {}
