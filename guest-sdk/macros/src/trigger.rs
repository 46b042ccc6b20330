//! What causes a function to run: one attribute for each kind.

use syn::Attribute;

/// The kind of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    Resource,
    Prompt,
}

impl Kind {
    /// The kind that an attribute means, if it is one of ours.
    pub(crate) fn of(attr: &Attribute) -> Option<Self> {
        let last = attr.path().segments.last()?;
        match last.ident.to_string().as_str() {
            "mcp_tool" => Some(Self::Tool),
            "mcp_resource" => Some(Self::Resource),
            "mcp_prompt" => Some(Self::Prompt),
            _ => None,
        }
    }

    /// What a function of this kind is called in messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Resource => "resource",
            Self::Prompt => "prompt",
        }
    }

    /// What a path calls the arguments.
    pub(crate) fn root(self) -> &'static str {
        match self {
            Self::Tool => "mcptoolargs",
            Self::Resource => "mcpresourceargs",
            Self::Prompt => "mcppromptargs",
        }
    }

    /// What `#[arg(..)]` on a parameter may say. Only tools have a schema.
    pub(crate) fn argument_keys(self) -> &'static [&'static str] {
        match self {
            Self::Tool => crate::argument::KEYS,
            Self::Resource => &["name"],
            Self::Prompt => &["name", "title", "description", "default"],
        }
    }
}
