//! A prompt: messages that clients get by name.

use super::{Json, Schema, tool::check_name};

/// A prompt as clients see it.
#[derive(Clone, Debug)]
pub struct PromptTrigger {
    /// The name clients ask for.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The arguments, in the order shown to people.
    pub arguments: Vec<PromptArgument>,
    /// What it accepts: the arguments as a schema, all of them texts.
    pub input: Schema,
    /// Icons.
    pub icons: Option<Json>,
    /// `_meta` of the prompt.
    pub meta: Option<Json>,
}

/// One argument of a prompt.
#[derive(Clone, Debug)]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// A request without it is refused.
    pub required: bool,
    /// The function suggests values for it.
    pub completes: bool,
}

impl PromptTrigger {
    /// The schema of these arguments.
    pub fn schema_of(arguments: &[PromptArgument]) -> Schema {
        Schema::of_texts(arguments.iter().map(|argument| {
            (argument.name.as_str(), argument.description.as_deref(), argument.required)
        }))
    }

    /// The argument of this name.
    pub fn argument(&self, name: &str) -> Option<&PromptArgument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

/// Whether clients take a name of a prompt: the rule of tools.
pub fn check_prompt_name(name: &str) -> Result<(), String> {
    check_name("prompt", name)
}
