//! Notes in a storage, as a resource and in a prompt.

use mcpfn_sdk::{
    Completing, PromptMessage, Suggestions, blob_input, blob_output, mcp_prompt, mcp_resource,
    mcp_tool,
};

/// Keeps a note.
#[mcp_tool]
#[blob_output(name = "$return", path = "notes/{mcptoolargs.folder}/{mcptoolargs.title}.txt")]
fn keep_note(folder: String, title: String, text: String) -> String {
    _ = (folder, title);
    text
}

fn folders(typed: &Completing) -> Suggestions {
    let known = typed.argument("title").map_or("none", |_| "some");
    typed.among(["home", "house", "work", known])
}

/// A note.
#[mcp_resource(uri = "note://{folder}/{title}", name = "Note", mime_type = "text/plain")]
fn note(
    #[completion(folders)] folder: String,
    title: String,
    #[blob_input(path = "notes/{folder}/{title}.txt")] note: Option<String>,
) -> Option<String> {
    _ = (folder, title);
    note
}

/// A note that nobody can read.
#[mcp_resource(uri = "note://broken/broken", name = "Broken note")]
fn broken_note() -> Result<String, String> {
    Err("the note is torn".to_owned())
}

/// Summarizes a note.
#[mcp_prompt(title = "Summary")]
fn summarize(
    /// The folder of the note.
    #[completion(folders)]
    folder: String,
    /// The note.
    title: String,
    /// In which language.
    language: Option<String>,
    #[blob_input(path = "notes/{mcppromptargs.folder}/{mcppromptargs.title}.txt")] note: Option<
        String,
    >,
) -> Result<Vec<PromptMessage>, String> {
    let note = note.ok_or_else(|| format!("there is no note {folder}/{title}"))?;
    let language = language.unwrap_or_else(|| "English".to_owned());
    Ok(vec![PromptMessage::user(format!("Summarize in {language}:")), PromptMessage::user(note)])
}

mcpfn_sdk::functions![keep_note, note, broken_note, summarize];

fn main() {}
