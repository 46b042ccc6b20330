//! What causes an invocation.

use super::{PromptTrigger, ResourceTrigger, Schema, ToolTrigger};

/// What causes an invocation: a closed set, so that the compiler lists what a new kind must answer.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// A client calls a tool.
    Tool(ToolTrigger),
    /// A client reads a resource.
    Resource(ResourceTrigger),
    /// A client gets a prompt.
    Prompt(PromptTrigger),
}

impl Trigger {
    /// What clients, messages and the log call it: the name of a tool or prompt, the URI of a resource.
    pub fn name(&self) -> &str {
        match self {
            Self::Tool(tool) => &tool.name,
            Self::Resource(resource) => resource.uri.as_str(),
            Self::Prompt(prompt) => &prompt.name,
        }
    }

    /// What it accepts.
    pub fn input(&self) -> &Schema {
        match self {
            Self::Tool(tool) => &tool.input,
            Self::Resource(resource) => &resource.input,
            Self::Prompt(prompt) => &prompt.input,
        }
    }

    /// The word for its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Tool(_) => "tool",
            Self::Resource(_) => "resource",
            Self::Prompt(_) => "prompt",
        }
    }

    /// Whether the function suggests values for any of its arguments.
    pub fn completes(&self) -> bool {
        match self {
            Self::Tool(_) => false,
            Self::Resource(resource) => !resource.completes.is_empty(),
            Self::Prompt(prompt) => prompt.arguments.iter().any(|argument| argument.completes),
        }
    }

    /// Where its kind stands in the catalog.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Tool(_) => 0,
            Self::Resource(_) => 1,
            Self::Prompt(_) => 2,
        }
    }
}
