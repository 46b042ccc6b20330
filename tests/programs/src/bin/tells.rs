//! Tells when it is asked for its functions.

use mcpfn_sdk::{Argument, ArgumentError, Schema, mcp_tool};

/// A text whose schema is told of.
struct Told(String);

impl Argument for Told {
    #[expect(clippy::print_stderr, reason = "it tells the test that a guest ran")]
    fn schema() -> Schema {
        eprintln!("describing");
        String::schema()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        String::from_json(json).map(Self)
    }
}

/// Answers with its argument.
#[mcp_tool]
fn tells(
    /// What to answer.
    text: Told,
) -> String {
    text.0
}

mcpfn_sdk::functions![tells];

fn main() {}
