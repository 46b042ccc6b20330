//! What the templates of a function may name.

use crate::function::{Schema, Trigger};

/// What the templates of a function may name: its arguments, under the root of its kind.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    root: Root,
    schema: &'a Schema,
}

/// What stands before the name of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// `mcptoolargs`
    Tool,
    /// `mcpresourceargs`, and nothing, as Azure has it.
    Resource,
    /// `mcppromptargs`
    Prompt,
}

impl<'a> Scope<'a> {
    /// What the templates of a function with this trigger may name.
    pub fn of(trigger: &'a Trigger) -> Self {
        let root = match trigger {
            Trigger::Tool(_) => Root::Tool,
            Trigger::Resource(_) => Root::Resource,
            Trigger::Prompt(_) => Root::Prompt,
        };
        Self { root, schema: trigger.input() }
    }

    #[cfg(test)]
    pub(super) fn new(root: Root, schema: &'a Schema) -> Self {
        Self { root, schema }
    }

    pub(super) fn root(&self) -> Root {
        self.root
    }

    /// What the function accepts.
    pub(super) fn schema(&self) -> &'a Schema {
        self.schema
    }
}

impl Root {
    const ALL: [Self; 3] = [Self::Tool, Self::Resource, Self::Prompt];

    /// Reads a root, in any case.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|root| root.as_str().eq_ignore_ascii_case(text))
    }

    /// How it is written.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "mcptoolargs",
            Self::Resource => "mcpresourceargs",
            Self::Prompt => "mcppromptargs",
        }
    }

    /// Whether the name of an argument may stand alone.
    pub(super) fn is_optional(self) -> bool {
        match self {
            Self::Resource => true,
            Self::Tool | Self::Prompt => false,
        }
    }
}
