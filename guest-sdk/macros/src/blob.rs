//! `#[blob_input(..)]` and `#[blob_output(..)]`.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Error, Ident, Result};

use crate::{
    binding::{Carrier, Direction, Form, Key, Takes, input},
    function::{Function, NamedBinding},
    shown_at::shown_at,
};

const PATH: Key = Key { name: "path", config: "path", takes: Takes::Template };
const CONNECTION: Key = Key { name: "connection", config: "connection", takes: Takes::Text };
const MAX_BYTES: Key = Key { name: "max_bytes", config: "maxBytes", takes: Takes::Count };

/// `#[blob_input(..)]`.
pub(crate) const INPUT: Form = Form {
    word: "blob_input",
    kind: "blob",
    noun: "blob",
    direction: Direction::Input,
    required: ("path", "container/.."),
    keys: &[
        PATH,
        CONNECTION,
        MAX_BYTES,
        Key { name: "max_items", config: "maxItems", takes: Takes::Count },
        Key { name: "after", config: "after", takes: Takes::Template },
    ],
    writer: None,
    of_carrier,
    check: check_input,
};

/// `#[blob_output(..)]`.
pub(crate) const OUTPUT: Form = Form {
    word: "blob_output",
    kind: "blob",
    noun: "blob",
    direction: Direction::Output,
    required: ("path", "container/.."),
    keys: &[
        PATH,
        CONNECTION,
        MAX_BYTES,
        Key { name: "content_type", config: "contentType", takes: Takes::Text },
        Key { name: "metadata", config: "metadata", takes: Takes::Templates },
        Key { name: "overwrite", config: "overwrite", takes: Takes::Flag },
        Key { name: "if_match", config: "ifMatch", takes: Takes::Text },
    ],
    writer: Some("BlobWriter"),
    of_carrier,
    check: check_output,
};

fn of_carrier(carrier: Option<&Carrier>) -> TokenStream {
    match carrier {
        None => quote!(&[]),
        Some(Carrier::Writer) => quote!(::mcpfn_sdk::runtime::BlobForm::Stream.config()),
        Some(Carrier::Input(ty)) => quote!(<::mcpfn_sdk::runtime::InputForm<#ty>>::FORM.config()),
        Some(Carrier::Out(ty)) => quote!(<::mcpfn_sdk::runtime::OutputForm<#ty>>::FORM.config()),
    }
}

/// Only the compiler knows which type is a list.
#[expect(clippy::unnecessary_wraps, reason = "other attributes have mistakes of their own")]
fn check_input(
    _: &Function,
    NamedBinding { binding, carrier, .. }: &NamedBinding,
) -> Result<Vec<TokenStream>> {
    let Some(Carrier::Input(ty)) = carrier else { return Ok(Vec::new()) };
    let checks =
        [("max_items", "assert_list"), ("after", "assert_list"), ("max_bytes", "assert_content")];
    Ok(checks
        .iter()
        .filter_map(|(key, function)| {
            let span = shown_at(&binding.entry(key)?.key);
            let function = Ident::new(function, span);
            Some(quote_spanned! { span =>
                const _: () = ::mcpfn_sdk::runtime::#function(<::mcpfn_sdk::runtime::InputForm<#ty>>::FORM);
            })
        })
        .collect())
}

fn check_output(function: &Function, output: &NamedBinding) -> Result<Vec<TokenStream>> {
    let NamedBinding { binding, carrier, .. } = output;
    if let Some(metadata) = binding.entry("metadata") {
        let mut names: Vec<String> = Vec::new();
        for member in metadata.group()? {
            let name = member.key.to_string();
            if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                let message = "a name of metadata has letters of ASCII, digits and `_`";
                return Err(Error::new(member.key.span(), message));
            }
            // Storages carry them in headers: case is lost.
            if names.contains(&name.to_ascii_lowercase()) {
                let message = format!("`{name}` is given twice (case is ignored)");
                return Err(Error::new(member.key.span(), message));
            }
            names.push(name.to_ascii_lowercase());
        }
    }
    let overwrite =
        binding.entry("overwrite").filter(|_| binding.config("overwrite") == Some("false"));
    let condition = binding.entry("if_match").or(overwrite);
    if let (Some(entry), Some(Carrier::Writer)) = (condition, carrier) {
        let message = "what is written in pieces is written under no condition";
        return Err(Error::new(entry.key.span(), message));
    }
    if let Some(entry) = binding.entry("if_match") {
        if let Some(overwrite) = overwrite {
            let message = "`if_match` is condition enough: leave out `overwrite`";
            return Err(Error::new(overwrite.key.span(), message));
        }
        let text = entry.text()?;
        let same = input(function, &text)?;
        let differs = |key| same.binding.config(key) != binding.config(key);
        if same.binding.form.kind != binding.form.kind || differs("path") || differs("connection") {
            let message =
                format!("the input `{}` does not read the blob that is written here", same.name);
            return Err(Error::new(text.span(), message));
        }
    }
    let Some(Carrier::Out(ty)) = carrier else { return Ok(Vec::new()) };
    let of_content = OUTPUT.keys.iter().filter(|key| !["path", "connection"].contains(&key.name));
    let assert = |key: &Key| {
        let span: Span = shown_at(&binding.entry(key.name)?.key);
        Some(quote_spanned! { span =>
            const _: () =
                ::mcpfn_sdk::runtime::assert_content(<::mcpfn_sdk::runtime::OutputForm<#ty>>::FORM);
        })
    };
    Ok(of_content.filter_map(assert).collect())
}
