//! The tools of the sample `snippets` with nothing behind them: what a call costs before there is storage.

use mcpfn_sdk::mcp_tool;

/// Answers with what `save_snippet` would save.
#[mcp_tool]
fn lose_snippet(
    /// The name of the snippet.
    snippetname: String,
    /// The code snippet.
    snippet: String,
) -> String {
    // Taken, as `save_snippet` takes it, and of no use here.
    drop(snippetname);
    snippet
}

/// Answers with a text as long as what `get_snippets` would find.
#[mcp_tool]
fn make_snippet(
    /// The name of the snippet.
    snippetname: String,
    /// How long it is.
    length: u32,
) -> String {
    let n_zeros = (length as usize).saturating_sub(snippetname.len());
    let mut snippet = String::with_capacity(length as usize);
    snippet.push_str(&"0".repeat(n_zeros));
    snippet.push_str(&snippetname);
    snippet
}

mcpfn_sdk::functions![lose_snippet, make_snippet];
