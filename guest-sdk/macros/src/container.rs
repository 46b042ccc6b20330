//! `#[blob_container("..")]`: a container that the function opens itself.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Error, LitStr, Meta, Result, Token, Type,
    parse::{ParseStream, Parser},
};

use crate::{
    argument::{option, type_name},
    attribute,
};

const HOW: &str = "write `#[blob_container(\"name\")]`";

/// One container.
pub(crate) struct Container {
    pub(crate) name: LitStr,
    connection: Option<LitStr>,
}

/// Whether an attribute is this one.
pub(crate) fn is(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "blob_container")
}

/// The container of a parameter, if it has one.
pub(crate) fn of(attrs: &[Attribute], ty: &Type) -> Result<Option<Container>> {
    let mut own = attrs.iter().filter(|attr| is(attr));
    let Some(attr) = own.next() else { return Ok(None) };
    if let Some(second) = own.next() {
        return Err(Error::new_spanned(second, "a parameter is one container"));
    }
    if type_name(ty).is_none_or(|name| name != "Container") {
        return Err(Error::new_spanned(ty, "a parameter for a container is a `Container`"));
    }
    Container::parse(attr).map(Some)
}

impl Container {
    fn parse(attr: &Attribute) -> Result<Self> {
        let Meta::List(list) = &attr.meta else { return Err(Error::new_spanned(attr, HOW)) };
        let read = |input: ParseStream<'_>| {
            let name: LitStr =
                input.parse().map_err(|error: Error| Error::new(error.span(), HOW))?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            Ok((name, input.parse::<TokenStream>()?))
        };
        let (name, rest) = read.parse2(list.tokens.clone())?;
        check_name(&name)?;
        let mut connection = None;
        for entry in attribute::parse("blob_container", rest, &["connection"])? {
            connection = Some(entry.text()?);
        }
        Ok(Self { name, connection })
    }

    /// The `ContainerSpec` of the runtime.
    pub(crate) fn spec(&self) -> TokenStream {
        let (name, connection) = (&self.name, option(self.connection.as_ref()));
        quote!(::mcpfn_sdk::runtime::ContainerSpec { name: #name, connection: #connection })
    }
}

/// Azure's rule, which the host keeps on every storage.
fn check_name(name: &LitStr) -> Result<()> {
    let text = name.value();
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_plain = (3..=63).contains(&text.len())
        && text.chars().all(allowed)
        && !text.starts_with('-')
        && !text.ends_with('-')
        && !text.contains("--");
    if is_plain || matches!(text.as_str(), "$root" | "$web") {
        return Ok(());
    }
    let message = "the name of a container is 3 to 63 of `a` to `z`, `0` to `9` and single `-`";
    Err(Error::new(name.span(), message))
}
