//! A tool: what clients call.

use super::{Json, Schema};

/// A tool as clients see it.
#[derive(Clone, Debug)]
pub struct ToolTrigger {
    /// The name clients call it by.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it does, for the model.
    pub description: Option<String>,
    /// What it accepts.
    pub input: Schema,
    /// What its structured content looks like.
    pub output: Option<Schema>,
    /// `readOnlyHint` and the like.
    pub annotations: Option<Json>,
    /// Icons.
    pub icons: Option<Json>,
    /// `_meta` of the tool.
    pub meta: Option<Json>,
    /// Whether it may run in the background.
    pub task: TaskSupport,
}

/// Whether a tool may run in the background, as a task of the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TaskSupport {
    /// Never.
    #[default]
    Forbidden,
    /// Where the client takes tasks.
    Optional,
    /// Always: a client that takes no tasks is refused.
    Required,
    /// Once the client has answered what the first run asked for.
    AfterInput,
}

/// Whether clients take a name of a tool.
pub fn check_tool_name(name: &str) -> Result<(), String> {
    check_name("tool", name)
}

/// The rule for names of tools, which prompts keep too: SEP-986, and the 64 characters that the conformance suite and
/// several clients insist on.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), String> {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if (1..=64).contains(&name.len()) && name.chars().all(legal) {
        return Ok(());
    }
    Err(format!(
        "{what} name `{}` is not 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-`, `.`, `/`",
        name.escape_debug()
    ))
}
