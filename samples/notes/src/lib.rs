//! Notes: list, get, save, delete. What the tools read and write is declared; there is no storage code.

use mcpfn_sdk::{BlobList, Delete, Out, ToolOutput, blob_input, blob_output, mcp_tool};

/// The titles of the notes, a page at a time.
#[derive(ToolOutput)]
struct Titles {
    /// The titles, in alphabetical order.
    titles: Vec<String>,
    /// Where to go on; absent on the last page.
    cursor: Option<String>,
}

/// Lists the titles of the notes.
#[mcp_tool(read_only = true)]
fn list_notes(
    /// What the titles begin with.
    prefix: Option<String>,
    /// The cursor of the page before.
    cursor: Option<String>,
    #[blob_input(
        path = "notes/{mcptoolargs.prefix=}",
        max_items = 100,
        after = "{mcptoolargs.cursor=}"
    )]
    notes: BlobList,
) -> Titles {
    let titles = notes.items.iter().filter_map(|note| note.name.strip_suffix(".md"));
    Titles { titles: titles.map(str::to_owned).collect(), cursor: notes.next }
}

/// Gets a note.
#[mcp_tool(read_only = true)]
fn get_note(
    /// The title of the note.
    title: String,
    #[blob_input(path = "notes/{mcptoolargs.title}.md")] note: Option<String>,
) -> Result<String, String> {
    note.ok_or_else(|| format!("There is no note `{title}`."))
}

/// Saves a new note. A note of that title is left as it is, and the call fails.
#[mcp_tool]
#[blob_output(
    path = "notes/{mcptoolargs.title}.md",
    content_type = "text/markdown; charset=utf-8",
    overwrite = false
)]
fn save_note(
    /// The title of the note.
    title: String,
    /// The text, in Markdown.
    text: String,
) -> String {
    text
}

/// Adds a line to a note, and returns the whole note. If somebody else changed it in between, the call fails, and can be
/// made again.
#[mcp_tool]
#[blob_output(
    path = "notes/{mcptoolargs.title}.md",
    content_type = "text/markdown; charset=utf-8",
    if_match = "note"
)]
fn add_to_note(
    /// The title of the note.
    title: String,
    /// The line to add.
    line: String,
    #[blob_input(path = "notes/{mcptoolargs.title}.md")] note: Option<String>,
) -> Result<String, String> {
    let note = note.ok_or_else(|| format!("There is no note `{title}`."))?;
    let break_line = if note.is_empty() || note.ends_with('\n') { "" } else { "\n" };
    Ok(format!("{note}{break_line}{line}\n"))
}

/// Deletes a note.
#[mcp_tool]
fn delete_note(
    /// The title of the note.
    title: String,
    #[blob_input(path = "notes/{mcptoolargs.title}.md")] note: Option<String>,
    #[blob_output(path = "notes/{mcptoolargs.title}.md")] file: Out<Delete>,
) -> Result<String, String> {
    if note.is_none() {
        return Err(format!("There is no note `{title}`."));
    }
    file.delete();
    Ok(format!("Deleted `{title}`."))
}

mcpfn_sdk::functions![list_notes, get_note, save_note, add_to_note, delete_note];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_names_without_their_ending() {
        let mut notes = BlobList::new([("todo.md", 3), ("picture.png", 9), ("trip.md", 4)]);
        notes.next = Some("trip.md".into());
        let Titles { titles, cursor } = list_notes(None, None, notes);
        assert_eq!(titles, ["todo", "trip"]);
        assert_eq!(cursor.as_deref(), Some("trip.md"));
    }

    #[test]
    fn a_line_is_added_on_a_line_of_its_own() {
        let add = |note: &str| add_to_note("todo".into(), "- milk".into(), Some(note.into()));
        assert_eq!(add("# Todo").unwrap(), "# Todo\n- milk\n");
        assert_eq!(add("# Todo\n").unwrap(), "# Todo\n- milk\n");
        assert_eq!(add("").unwrap(), "- milk\n");
    }

    #[test]
    fn a_note_that_is_not_there_is_an_error_that_names_it() {
        let expected = "There is no note `todo`.";
        assert_eq!(get_note("todo".into(), None).unwrap_err(), expected);
        assert_eq!(add_to_note("todo".into(), String::new(), None).unwrap_err(), expected);
        let file = Out::new();
        assert_eq!(delete_note("todo".into(), None, file.clone()).unwrap_err(), expected);
        assert!(!file.is_deleted());
    }

    #[test]
    fn a_note_that_is_there_is_deleted() {
        let file = Out::new();
        delete_note("todo".into(), Some("text".into()), file.clone()).unwrap();
        assert!(file.is_deleted());
    }
}
