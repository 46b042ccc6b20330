//! JSON in and out.

use mcpfn_sdk::{
    Out, blob_input, blob_output, mcp_tool,
    serde::{Deserialize, Serialize},
};

#[derive(Deserialize, Serialize)]
#[serde(crate = "mcpfn_sdk::serde")]
struct Counter {
    name: String,
    count: u32,
}

/// Counts calls in a blob.
#[mcp_tool]
fn count_up(
    /// The name of the counter.
    name: String,
    #[blob_input(path = "counters/{mcptoolargs.name}.json")] last: Option<Counter>,
    #[blob_output(path = "counters/{mcptoolargs.name}.json")] next: Out<Counter>,
) -> String {
    let count = last.map_or(0, |counter| counter.count) + 1;
    next.set(Counter { name, count });
    count.to_string()
}

/// Reads a counter, and writes a copy of what it returns.
#[mcp_tool]
#[blob_output(path = "counters/{mcptoolargs.name}.copy.json")]
fn read_counter(
    /// The name of the counter.
    name: String,
    #[blob_input(path = "counters/{mcptoolargs.name}.json")] counter: Counter,
) -> Counter {
    counter
}

mcpfn_sdk::functions![count_up, read_counter];

fn main() {}
