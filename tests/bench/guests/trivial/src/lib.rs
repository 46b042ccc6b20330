//! The tool that is measured: it answers with the version that it is and its argument.

use std::hint;

use mcpfn_sdk::mcp_tool;

/// A text of the data section, so that a copy of the compiled component can be made another version.
const VERSION: &str = "version-00000000 ";

/// Answers with its version and its argument.
#[mcp_tool(name = "trivial_0000")]
fn trivial(
    /// What to answer.
    text: String,
) -> String {
    // Not folded into the code, where it could not be replaced.
    let mut answer = String::from(hint::black_box(VERSION));
    answer.push_str(&text);
    answer
}

mcpfn_sdk::functions![trivial];
