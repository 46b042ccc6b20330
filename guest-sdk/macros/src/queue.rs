//! `#[queue_output(..)]`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Error, Result, spanned::Spanned};

use crate::{
    binding::{Carrier, Direction, Form, Key, Takes},
    function::{Function, NamedBinding},
};

/// `#[queue_output(..)]`.
pub(crate) const OUTPUT: Form = Form {
    word: "queue_output",
    kind: "queue",
    noun: "message",
    direction: Direction::Output,
    required: ("queue_name", ".."),
    keys: &[
        Key { name: "queue_name", config: "queueName", takes: Takes::Text },
        Key { name: "connection", config: "connection", takes: Takes::Text },
        Key { name: "encoding", config: "encoding", takes: Takes::Text },
        Key { name: "visibility_timeout", config: "visibilityTimeout", takes: Takes::Seconds },
        Key { name: "time_to_live", config: "timeToLive", takes: Takes::Lifetime },
    ],
    writer: None,
    of_carrier: |_| quote!(&[]),
    check,
};

fn check(
    _: &Function,
    NamedBinding { binding, carrier, .. }: &NamedBinding,
) -> Result<Vec<TokenStream>> {
    if let Some(entry) = binding.entry("encoding") {
        let text = entry.text()?;
        if !["base64", "none"].contains(&text.value().as_str()) {
            return Err(Error::new(text.span(), "expected `base64` or `none`"));
        }
    }
    let Some(Carrier::Out(ty)) = carrier else { return Ok(Vec::new()) };
    Ok(vec![quote_spanned! { ty.span() =>
        const _: () = ::mcpfn_sdk::runtime::assert_whole(<::mcpfn_sdk::runtime::OutputForm<#ty>>::FORM);
    }])
}
