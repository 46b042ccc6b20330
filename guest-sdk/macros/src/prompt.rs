//! `#[mcp_prompt(..)]`: what is said about a prompt.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Ident, LitStr, Result, ext::IdentExt};

use crate::{
    about::{About, callable_name},
    attribute,
    trigger::Kind,
};

const KEYS: &[&str] = &["name", "title", "description", "headers", "icons", "meta"];

/// What is said about a prompt.
pub(crate) struct Prompt {
    pub(crate) about: About,
}

impl Prompt {
    pub(crate) fn parse(tokens: TokenStream, ident: &Ident, attrs: &[Attribute]) -> Result<Self> {
        let mut about = About::new(ident, attrs);
        callable_name(Kind::Prompt, &LitStr::new(&ident.unraw().to_string(), ident.span()))?;
        for entry in attribute::parse("mcp_prompt", tokens, KEYS)? {
            match entry.key.to_string().as_str() {
                "name" => about.name = callable_name(Kind::Prompt, &entry.text()?)?,
                _ => about.read(&entry)?,
            }
        }
        Ok(Self { about })
    }

    /// The `PromptSpec` of the runtime.
    pub(crate) fn spec(&self, storage: &TokenStream) -> TokenStream {
        let (name, about) = (&self.about.name, self.about.fields());
        quote! {
            ::mcpfn_sdk::runtime::PromptSpec {
                name: #name,
                #about
                storage: #storage,
            }
        }
    }
}
