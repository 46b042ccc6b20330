//! Reads and writes what host.json makes of its bindings: requests to a service, messages of a queue.

use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

/// Tells the weather.
#[mcp_tool]
fn weather(
    /// The town.
    town: String,
    /// In which units.
    units: Option<String>,
    #[blob_input(path = "weather/{mcptoolargs.town}")] forecast: Option<String>,
) -> String {
    _ = units;
    forecast.unwrap_or_else(|| format!("nobody knows `{town}`"))
}

/// Reports the weather, and asks a worker to draw a chart of it.
#[mcp_tool]
fn report(
    /// The town.
    town: String,
    /// What was seen.
    seen: String,
    #[blob_output(path = "reports/{mcptoolargs.town}")] sent: Out<String>,
    #[blob_output(path = "jobs/{mcptoolargs.town}")] job: Out<String>,
) -> &'static str {
    sent.set(seen);
    job.set(format!("draw {town}"));
    "reported"
}

mcpfn_sdk::functions![weather, report];

fn main() {}
