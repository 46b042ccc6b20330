//! What an attribute says about its function, whatever the kind.

use proc_macro2::TokenStream;
use syn::{Attribute, Ident, Result};

use crate::{prompt::Prompt, resource::Resource, tool::Tool, trigger::Kind};

/// What is said about a function.
pub(crate) enum Declaration {
    Tool(Tool),
    Resource(Resource),
    Prompt(Prompt),
}

impl Declaration {
    pub(crate) fn parse(
        kind: Kind,
        tokens: TokenStream,
        ident: &Ident,
        attrs: &[Attribute],
    ) -> Result<Self> {
        Ok(match kind {
            Kind::Tool => Self::Tool(Tool::parse(tokens, ident, attrs)?),
            Kind::Resource => Self::Resource(Resource::parse(tokens, ident, attrs)?),
            Kind::Prompt => Self::Prompt(Prompt::parse(tokens, ident, attrs)?),
        })
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Tool(_) => Kind::Tool,
            Self::Resource(_) => Kind::Resource,
            Self::Prompt(_) => Kind::Prompt,
        }
    }

    /// The name of the function, unique in its component.
    pub(crate) fn function_name(&self) -> &str {
        match self {
            Self::Tool(tool) => &tool.about.name,
            Self::Resource(resource) => &resource.function,
            Self::Prompt(prompt) => &prompt.about.name,
        }
    }
}
