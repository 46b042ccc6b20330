//! `#[http_input(..)]` and `#[http_output(..)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Ident, Result, spanned::Spanned};

use crate::{
    binding::{Carrier, Direction, Form, Key, Takes},
    function::{Function, NamedBinding},
    shown_at::shown_at,
};

const CONNECTION: Key = Key { name: "connection", config: "connection", takes: Takes::Text };
const PATH: Key = Key { name: "path", config: "path", takes: Takes::Template };
const HEADERS: Key = Key { name: "headers", config: "headers", takes: Takes::Headers };
const TIMEOUT: Key = Key { name: "timeout", config: "timeout", takes: Takes::Count };

/// `#[http_input(..)]`.
pub(crate) const INPUT: Form = Form {
    word: "http_input",
    kind: "http",
    noun: "answer",
    direction: Direction::Input,
    required: ("connection", ".."),
    keys: &[
        CONNECTION,
        PATH,
        HEADERS,
        Key { name: "max_bytes", config: "maxBytes", takes: Takes::Count },
        TIMEOUT,
    ],
    writer: None,
    of_carrier: of_input,
    check: check_input,
};

/// `#[http_output(..)]`.
pub(crate) const OUTPUT: Form = Form {
    word: "http_output",
    kind: "http",
    noun: "request",
    direction: Direction::Output,
    required: ("connection", ".."),
    keys: &[
        CONNECTION,
        PATH,
        Key { name: "method", config: "method", takes: Takes::Text },
        HEADERS,
        Key { name: "content_type", config: "contentType", takes: Takes::Text },
        TIMEOUT,
    ],
    writer: None,
    of_carrier: of_output,
    check: check_output,
};

fn of_input(carrier: Option<&Carrier>) -> TokenStream {
    let Some(Carrier::Input(ty)) = carrier else { return quote!(&[]) };
    quote!(<::mcpfn_sdk::runtime::InputForm<#ty>>::FORM.config())
}

fn of_output(carrier: Option<&Carrier>) -> TokenStream {
    let Some(Carrier::Out(ty)) = carrier else { return quote!(&[]) };
    quote!(<::mcpfn_sdk::runtime::OutputForm<#ty>>::FORM.request())
}

/// Only the compiler knows which type is a list.
#[expect(clippy::unnecessary_wraps, reason = "other attributes have mistakes of their own")]
fn check_input(
    _: &Function,
    NamedBinding { carrier, .. }: &NamedBinding,
) -> Result<Vec<TokenStream>> {
    let Some(Carrier::Input(ty)) = carrier else { return Ok(Vec::new()) };
    Ok(vec![quote_spanned! { ty.span() =>
        const _: () = ::mcpfn_sdk::runtime::assert_whole(<::mcpfn_sdk::runtime::InputForm<#ty>>::FORM);
    }])
}

fn check_output(
    _: &Function,
    NamedBinding { binding, carrier, .. }: &NamedBinding,
) -> Result<Vec<TokenStream>> {
    if let Some(entry) = binding.entry("method") {
        let text = entry.text()?;
        if !["POST", "PUT", "PATCH", "DELETE"].contains(&text.value().as_str()) {
            let message = "expected `POST`, `PUT`, `PATCH` or `DELETE`";
            return Err(Error::new(text.span(), message));
        }
    }
    let Some(Carrier::Out(ty)) = carrier else { return Ok(Vec::new()) };
    let of_content = ["method", "content_type"].iter().filter_map(|key| binding.entry(key));
    let assert = |entry: &crate::attribute::Entry| {
        let span = shown_at(&entry.key);
        let function = Ident::new("assert_content", span);
        quote_spanned! { span =>
            const _: () = ::mcpfn_sdk::runtime::#function(<::mcpfn_sdk::runtime::OutputForm<#ty>>::FORM);
        }
    };
    Ok(of_content.map(assert).collect())
}
