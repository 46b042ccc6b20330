//! `#[blob_input(..)]` and `#[blob_output(..)]`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Error, LitStr, Meta, Result};

use crate::{argument::option, attribute};

const KEYS: &[&str] = &["name", "path", "connection"];

/// The name of the binding that takes what the tool returns.
pub(crate) const RETURN: &str = "$return";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Input,
    Output,
}

impl Direction {
    /// The direction that an attribute means, if it is one of ours.
    pub(crate) fn of(attr: &Attribute) -> Option<Self> {
        let last = attr.path().segments.last()?;
        match last.ident.to_string().as_str() {
            "blob_input" => Some(Self::Input),
            "blob_output" => Some(Self::Output),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Input => "blob_input",
            Self::Output => "blob_output",
        }
    }
}

/// One blob that is read or written.
pub(crate) struct Blob {
    pub(crate) direction: Direction,
    pub(crate) name: Option<LitStr>,
    pub(crate) path: LitStr,
    connection: Option<LitStr>,
    pub(crate) attr: Attribute,
}

impl Blob {
    pub(crate) fn parse(attr: &Attribute, direction: Direction) -> Result<Self> {
        let word = direction.word();
        let tokens = match &attr.meta {
            Meta::List(list) => {
                keys_below_trigger(&list.tokens).unwrap_or_else(|| list.tokens.clone())
            }
            _ => TokenStream::new(),
        };
        if let Ok(path) = syn::parse2::<LitStr>(tokens.clone()) {
            let message = format!("write `path = {}`", path.to_token_stream());
            return Err(Error::new(path.span(), message));
        }
        let (mut name, mut path, mut connection) = (None, None, None);
        for entry in attribute::parse(word, tokens, KEYS)? {
            let text = Some(entry.text()?);
            match entry.key.to_string().as_str() {
                "name" => name = text,
                "path" => path = text,
                _ => connection = text,
            }
        }
        let Some(path) = path else {
            return Err(Error::new_spanned(
                attr,
                format!("`{word}` needs a path: `path = \"container/..\"`"),
            ));
        };
        Ok(Self { direction, name, path, connection, attr: attr.clone() })
    }

    /// The `BlobSpec` of the runtime.
    pub(crate) fn spec(&self, name: &str) -> TokenStream {
        let direction = match self.direction {
            Direction::Input => quote!(Input),
            Direction::Output => quote!(Output),
        };
        let (path, connection) = (&self.path, option(self.connection.as_ref()));
        quote! {
            ::mcpfn_sdk::runtime::BlobSpec {
                name: #name,
                direction: ::mcpfn_sdk::wit::Direction::#direction,
                path: #path,
                connection: #connection,
            }
        }
    }
}

/// Marks the keys of an attribute that was moved below its trigger. No key begins with an `@`.
pub(crate) fn mark_below_trigger(keys: &TokenStream) -> TokenStream {
    quote!(@ #keys)
}

/// The keys without the mark, if they have it.
pub(crate) fn keys_below_trigger(tokens: &TokenStream) -> Option<TokenStream> {
    let mut tokens = tokens.clone().into_iter();
    match tokens.next()? {
        TokenTree::Punct(punct) if punct.as_char() == '@' => Some(tokens.collect()),
        _ => None,
    }
}
