//! The tools of Azure Functions' sample: save a snippet, get it back.

use mcpfn_sdk::{Out, blob_input, blob_output, mcp_tool};

#[mcp_tool(
    name = "save_snippet",
    description = "Saves a code snippet into your snippet collection."
)]
#[blob_output(name = "$return", path = "snippets/{mcptoolargs.snippetname}.json")]
fn save_snippet(
    /// The name of the snippet.
    snippetname: String,
    /// The code snippet.
    snippet: String,
) -> String {
    snippet
}

/// Gets code snippets from your snippet collection.
#[mcp_tool]
fn get_snippets(
    /// The name of the snippet.
    snippetname: String,
    #[blob_input(path = "snippets/{mcptoolargs.snippetname}.json")] snippet: Option<String>,
) -> String {
    snippet.unwrap_or_else(|| format!("Snippet '{snippetname}' not found"))
}

/// Saves a code snippet, and says so.
#[mcp_tool(name = "saveSnippets")]
fn save_snippets(
    /// The name of the snippet.
    #[arg(name = "snippetName")]
    name: String,
    /// The code snippet.
    snippet: String,
    #[blob_output(path = "snippets/{mcptoolargs.snippetName}.json")] file: Out<String>,
) -> String {
    let n_characters = snippet.chars().count();
    file.set(snippet);
    format!("Successfully saved snippet '{name}' with {n_characters} characters.")
}

/// Saves a code snippet if it gets one.
#[mcp_tool]
fn try_save_snippet(
    /// The name of the snippet.
    snippetname: Option<String>,
    /// The code snippet.
    snippet: Option<String>,
    #[blob_output(path = "snippets/{mcptoolargs.snippetname}.json")] file: Out<String>,
) -> String {
    let Some(name) = snippetname else { return "No snippet name provided".into() };
    let Some(snippet) = snippet else { return "No snippet content provided".into() };
    file.set(snippet);
    format!("Snippet '{name}' saved successfully")
}

mcpfn_sdk::functions![save_snippet, get_snippets, save_snippets, try_save_snippet];
