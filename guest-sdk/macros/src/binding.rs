//! Attributes that declare bindings: values that the host reads before, or writes after, the function runs.
//!
//! Each kind says in a [`Form`] what its attributes take; this file reads them. A new attribute is a `Form` in a file
//! of its kind, a line in [`FORMS`], and its entry in `lib.rs`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Error, LitStr, Meta, Result, Type};

use crate::{
    argument::quoted,
    attribute::{self, Entry},
    blob,
    function::{Function, NamedBinding},
    http, name, queue,
};

/// All attributes that declare a binding.
const FORMS: &[&Form] = &[&blob::INPUT, &blob::OUTPUT, &http::INPUT, &http::OUTPUT, &queue::OUTPUT];

/// The name of the binding that takes what the tool returns.
pub(crate) const RETURN: &str = "$return";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Input,
    Output,
}

/// What one attribute takes.
pub(crate) struct Form {
    /// The attribute.
    pub(crate) word: &'static str,
    /// What the host calls the type.
    pub(crate) kind: &'static str,
    /// What messages to clients call what it reads.
    pub(crate) noun: &'static str,
    pub(crate) direction: Direction,
    /// The key that has to be there, and how a message shows its value.
    pub(crate) required: (&'static str, &'static str),
    /// The keys, as the host gets them in this order. `name` is one of every attribute.
    pub(crate) keys: &'static [Key],
    /// The type of a parameter that writes in pieces, if there is one.
    pub(crate) writer: Option<&'static str>,
    /// A constant of type `&[(&str, &str)]`: keys and JSON texts that follow from what carries the value.
    pub(crate) of_carrier: fn(Option<&Carrier>) -> TokenStream,
    /// What has to hold between the keys, the carrier and the function: constants that compile only if it does.
    pub(crate) check: fn(&Function, &NamedBinding) -> Result<Vec<TokenStream>>,
}

/// One key of an attribute.
pub(crate) struct Key {
    /// As it is written in the attribute.
    pub(crate) name: &'static str,
    /// As the host knows it.
    pub(crate) config: &'static str,
    pub(crate) takes: Takes,
}

/// The value of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A text.
    Text,
    /// A text with arguments in braces.
    Template,
    /// Names, each with a text with arguments in braces: `metadata(author = "..")`.
    Templates,
    /// The same for headers, with `_` for each `-`: `headers(accept_language = "..")`.
    Headers,
    /// A whole number from 1.
    Count,
    /// A whole number of seconds, from 0.
    Seconds,
    /// A whole number of seconds, from 1; -1 for no end.
    Lifetime,
    /// `true` or `false`.
    Flag,
}

/// What carries a value between host and function; what the function returns is not among them.
pub(crate) enum Carrier {
    /// A parameter of this type.
    Input(Type),
    /// A parameter of type `Out` of this.
    Out(Type),
    /// A parameter that writes in pieces.
    Writer,
}

/// One value that is read or written.
pub(crate) struct Binding {
    pub(crate) form: &'static Form,
    pub(crate) name: Option<LitStr>,
    pub(crate) attr: Attribute,
    entries: Vec<Entry>,
    /// Keys of the host, and values as JSON texts.
    config: Vec<(&'static str, String)>,
    /// The texts with arguments in braces, and what messages call each.
    pub(crate) templates: Vec<(String, LitStr)>,
}

impl Form {
    /// What an attribute takes, if it is one that declares a binding.
    pub(crate) fn of(attr: &Attribute) -> Option<&'static Self> {
        Self::of_word(&attr.path().segments.last()?.ident.to_string())
    }

    /// What the attribute of this name takes.
    pub(crate) fn of_word(word: &str) -> Option<&'static Self> {
        FORMS.iter().find(|form| form.word == word).copied()
    }
}

impl Binding {
    pub(crate) fn parse(attr: &Attribute, form: &'static Form) -> Result<Self> {
        let word = form.word;
        let (required, example) = form.required;
        let tokens = match &attr.meta {
            Meta::List(list) => {
                keys_below_trigger(&list.tokens).unwrap_or_else(|| list.tokens.clone())
            }
            _ => TokenStream::new(),
        };
        if let Ok(text) = syn::parse2::<LitStr>(tokens.clone()) {
            let message = format!("write `{required} = {}`", text.to_token_stream());
            return Err(Error::new(text.span(), message));
        }
        let known: Vec<_> =
            std::iter::once("name").chain(form.keys.iter().map(|key| key.name)).collect();
        let entries = attribute::parse(word, tokens, &known)?;
        let find = |name: &str| entries.iter().find(|entry| entry.key == name);
        if find(required).is_none() {
            let message = format!("`{word}` needs a {required}: `{required} = \"{example}\"`");
            return Err(Error::new_spanned(attr, message));
        }
        let name = find("name").map(Entry::text).transpose()?;
        let (mut config, mut templates) = (Vec::new(), Vec::new());
        for key in form.keys {
            if let Some(entry) = find(key.name) {
                config.push((key.config, read(key, required, entry, &mut templates)?));
            }
        }
        Ok(Self { form, name, attr: attr.clone(), entries, config, templates })
    }

    /// One `key = value` of the attribute.
    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// A key of the host and its value, as JSON text.
    pub(crate) fn config(&self, key: &str) -> Option<&str> {
        let (_, json) = self.config.iter().find(|(own, _)| *own == key)?;
        Some(json)
    }

    /// The `BindingSpec` of the runtime.
    pub(crate) fn spec(&self, name: &str, carrier: Option<&Carrier>) -> TokenStream {
        let direction = match self.form.direction {
            Direction::Input => quote!(Input),
            Direction::Output => quote!(Output),
        };
        let kind = self.form.kind;
        let config = self.config.iter().map(|(key, json)| quote!((#key, #json)));
        let of_carrier = (self.form.of_carrier)(carrier);
        quote! {
            ::mcpfn_sdk::runtime::BindingSpec {
                name: #name,
                kind: #kind,
                direction: ::mcpfn_sdk::wit::Direction::#direction,
                config: &[#(#config),*],
                of_carrier: #of_carrier,
            }
        }
    }
}

/// The value of a key as JSON text.
fn read(
    key: &Key,
    required: &str,
    entry: &Entry,
    templates: &mut Vec<(String, LitStr)>,
) -> Result<String> {
    match key.takes {
        Takes::Text => Ok(quoted(&entry.text()?.value())),
        Takes::Template => {
            let text = entry.text()?;
            let json = quoted(&text.value());
            let noun = match key.name {
                name if name == required => format!("the {name}"),
                name => format!("`{name}`"),
            };
            templates.push((noun, text));
            Ok(json)
        }
        Takes::Templates | Takes::Headers => {
            let mut members = Vec::new();
            for member in entry.group()? {
                let (mut name, text) = (member.key.to_string(), member.text()?);
                if key.takes == Takes::Headers {
                    name = name.replace('_', "-");
                }
                members.push(format!("{}:{}", quoted(&name), quoted(&text.value())));
                templates.push((format!("`{name}`"), text));
            }
            Ok(format!("{{{}}}", members.join(",")))
        }
        Takes::Count => {
            let number = entry.count()?;
            match number.whole {
                Some(1..=0xffff_ffff_ffff_ffff) => Ok(number.json),
                _ => Err(Error::new(number.span, format!("`{}` is 1 or more", key.name))),
            }
        }
        Takes::Seconds => entry.count().map(|number| number.json),
        Takes::Lifetime => {
            let number = entry.number()?;
            match number.whole {
                Some(-1 | 1..) => Ok(number.json),
                _ => Err(entry.expected("a whole number of seconds, 1 or more, or -1 for no end")),
            }
        }
        Takes::Flag => Ok(entry.boolean()?.value.to_string()),
    }
}

/// The input of this name that an output speaks of.
pub(crate) fn input<'f>(function: &'f Function, wanted: &LitStr) -> Result<&'f NamedBinding> {
    let text = wanted.value();
    let is_input = |binding: &&NamedBinding| binding.binding.form.direction == Direction::Input;
    let inputs: Vec<_> = function.bindings.iter().filter(is_input).collect();
    if let Some(found) = inputs.iter().find(|binding| binding.name == text) {
        return Ok(found);
    }
    let names: Vec<_> = inputs.iter().map(|binding| &binding.name).collect();
    let message = format!("there is no input `{text}`{}", name::hint(&text, &names));
    Err(Error::new(wanted.span(), message))
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
