//! `#[mcp_resource(..)]`: what is said about a resource.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Error, Ident, LitStr, Result, ext::IdentExt};

use crate::{
    about::{About, object},
    argument::option,
    attribute::{self, Entry, Json},
    uri,
};

const KEYS: &[&str] = &[
    "uri",
    "name",
    "title",
    "description",
    "mime_type",
    "size",
    "annotations",
    "headers",
    "icons",
    "meta",
];

/// What is said about a resource.
pub(crate) struct Resource {
    pub(crate) about: About,
    /// The function's own name: `name` is free text.
    pub(crate) function: String,
    pub(crate) uri: LitStr,
    pub(crate) variables: Vec<String>,
    mime_type: Option<LitStr>,
    size: Option<u64>,
    annotations: Option<Json>,
}

impl Resource {
    pub(crate) fn parse(tokens: TokenStream, ident: &Ident, attrs: &[Attribute]) -> Result<Self> {
        let entries = attribute::parse("mcp_resource", tokens, KEYS)?;
        let Some(uri) = entries.iter().find(|entry| entry.key == "uri") else {
            let message = "`mcp_resource` needs a URI: `uri = \"notes://{title}\"`";
            return Err(Error::new(Span::call_site(), message));
        };
        let uri = uri.text()?;
        let mut resource = Self {
            about: About::new(ident, attrs),
            function: ident.unraw().to_string(),
            variables: uri::variables(&uri)?,
            uri,
            mime_type: None,
            size: None,
            annotations: None,
        };
        for entry in &entries {
            resource.read(entry)?;
        }
        Ok(resource)
    }

    fn read(&mut self, entry: &Entry) -> Result<()> {
        match entry.key.to_string().as_str() {
            "uri" => {}
            "name" => self.about.name = entry.text()?.value(),
            "mime_type" => self.mime_type = Some(entry.text()?),
            "size" => self.size = Some(size(entry)?),
            "annotations" => self.annotations = Some(object(entry)?),
            _ => self.about.read(entry)?,
        }
        Ok(())
    }

    /// The `ResourceSpec` of the runtime.
    pub(crate) fn spec(&self, completes: &[&str], storage: &TokenStream) -> TokenStream {
        let (name, about) = (&self.about.name, self.about.fields());
        let (function, uri) = (&self.function, &self.uri);
        let (mime_type, size) = (option(self.mime_type.as_ref()), option(self.size));
        let annotations = option(self.annotations.as_ref().map(Json::expr));
        quote! {
            ::mcpfn_sdk::runtime::ResourceSpec {
                function: #function,
                uri: #uri,
                name: #name,
                #about
                mime_type: #mime_type,
                size: #size,
                annotations: #annotations,
                completes: &[#(#completes),*],
                storage: #storage,
            }
        }
    }
}

fn size(entry: &Entry) -> Result<u64> {
    let number = entry.count()?;
    let size = number.whole.and_then(|whole| whole.try_into().ok());
    size.ok_or_else(|| Error::new(number.span, "the size does not fit 64 bits"))
}
