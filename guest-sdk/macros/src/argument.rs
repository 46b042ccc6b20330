//! One argument: `#[arg(..)]` and the doc comment of a parameter or a field.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Error, Ident, Lit, Path, Result, Type, ext::IdentExt};

use crate::{
    attribute::{self, Entry, Number},
    completion, doc,
    name::Casing,
};

/// What `#[arg(..)]` may say.
pub(crate) const KEYS: &[&str] = &[
    "name",
    "title",
    "description",
    "default",
    "min",
    "max",
    "min_length",
    "max_length",
    "min_items",
    "max_items",
    "pattern",
    "format",
];

/// What is said about one argument.
pub(crate) struct Argument {
    /// The parameter or field.
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) ty: Type,
    title: Option<String>,
    description: Option<String>,
    keywords: Vec<(&'static str, String)>,
    default: Option<String>,
    /// The function that suggests values for it.
    pub(crate) completion: Option<Path>,
    /// Constants that compile only if the constraints fit the type.
    checks: Vec<TokenStream>,
}

impl Argument {
    /// Reads the attributes of a parameter or a field.
    pub(crate) fn parse(
        ident: &Ident,
        ty: &Type,
        attrs: &[Attribute],
        casing: Option<Casing>,
        keys: &[&str],
    ) -> Result<Self> {
        let name = ident.unraw().to_string();
        let mut argument = Self {
            ident: ident.clone(),
            name: casing.map_or_else(|| name.clone(), |casing| casing.apply(&name)),
            name_span: ident.span(),
            ty: ty.clone(),
            title: None,
            description: doc::description(attrs),
            keywords: Vec::new(),
            default: None,
            completion: completion::of(attrs)?,
            checks: Vec::new(),
        };
        let mut entries = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("arg")) {
            entries.extend(attribute::parse(
                "arg",
                attr.meta.require_list()?.tokens.clone(),
                keys,
            )?);
        }
        for entry in &entries {
            argument.read(entry)?;
        }
        for (least, most) in
            [("min", "max"), ("min_length", "max_length"), ("min_items", "max_items")]
        {
            check_order(&entries, least, most)?;
        }
        if argument.default.is_some() {
            check_default_in_range(&entries)?;
        }
        Ok(argument)
    }

    fn read(&mut self, entry: &Entry) -> Result<()> {
        match entry.key.to_string().as_str() {
            "name" => {
                let text = entry.text()?;
                (self.name, self.name_span) = (text.value(), text.span());
            }
            "title" => self.title = Some(entry.text()?.value()),
            "description" => self.description = Some(entry.text()?.value()),
            "default" => self.read_default(entry)?,
            "min" => self.constrain(entry, "number", "minimum", entry.number()?.json),
            "max" => self.constrain(entry, "number", "maximum", entry.number()?.json),
            "min_length" => self.constrain(entry, "text", "minLength", entry.count()?.json),
            "max_length" => self.constrain(entry, "text", "maxLength", entry.count()?.json),
            "min_items" => self.constrain(entry, "list", "minItems", entry.count()?.json),
            "max_items" => self.constrain(entry, "list", "maxItems", entry.count()?.json),
            "pattern" => self.constrain(entry, "text", "pattern", quoted(&entry.text()?.value())),
            "format" => self.constrain(entry, "text", "format", quoted(&entry.text()?.value())),
            key => unreachable!("`{key}` is none of `KEYS`"),
        }
        Ok(())
    }

    fn constrain(&mut self, entry: &Entry, kind: &str, keyword: &'static str, json: String) {
        self.check(entry.key.span(), kind, &TokenStream::new());
        self.keywords.push((keyword, json));
    }

    fn read_default(&mut self, entry: &Entry) -> Result<()> {
        if is_option(&self.ty) {
            let message = "an argument with a default is not an `Option`: it is never missing";
            return Err(Error::new(entry.key.span(), message));
        }
        let json =
            if let Some(Number { json, whole, span, .. }) = entry.value().and_then(Number::read) {
                match whole {
                    Some(value) => self.check(span, "whole_default", &quote!(#value)),
                    None => self.check(span, "fraction_default", &TokenStream::new()),
                }
                json
            } else {
                match entry.value().and_then(attribute::literal) {
                    Some(Lit::Str(text)) => {
                        self.check(text.span(), "text_default", &quote!(#text));
                        quoted(&text.value())
                    }
                    Some(Lit::Bool(value)) => {
                        self.check(value.span(), "boolean_default", &TokenStream::new());
                        value.value.to_string()
                    }
                    _ => {
                        return Err(entry.expected("a text, a number, `true` or `false`"));
                    }
                }
            };
        self.default = Some(json);
        Ok(())
    }

    /// Adds a constant that compiles only if `function::<T>(value)` of the runtime does; the error is at `span`.
    fn check(&mut self, span: Span, function: &str, value: &TokenStream) {
        let ty = at(span, self.ty.to_token_stream());
        let function = Ident::new(function, span);
        self.checks.push(quote_spanned! { span.resolved_at(Span::call_site()) =>
            const _: () = ::mcpfn_sdk::runtime::constraint::#function::<#ty>(#value);
        });
    }

    /// The constants that check the constraints.
    pub(crate) fn checks(&self) -> TokenStream {
        self.checks.iter().cloned().collect()
    }

    /// The `ArgumentSpec` of the runtime.
    pub(crate) fn spec(&self) -> TokenStream {
        let name = &self.name;
        let description = self.description.as_deref().unwrap_or_default();
        let keywords = self.keywords.iter().map(|(keyword, json)| quote!((#keyword, #json)));
        let title = option(self.title.as_ref());
        let default = option(self.default.as_ref());
        let completes = self.completion.is_some();
        quote! {
            ::mcpfn_sdk::runtime::ArgumentSpec {
                name: #name,
                title: #title,
                description: #description,
                keywords: &[#(#keywords),*],
                default: #default,
                completes: #completes,
            }
        }
    }
}

fn check_order(entries: &[Entry], least: &str, most: &str) -> Result<()> {
    if let (Some(min), Some(max)) = (number_of(entries, least), number_of(entries, most))
        && min.value > max.value
    {
        return Err(Error::new(max.span, format!("`{most}` is less than `{least}`")));
    }
    Ok(())
}

fn check_default_in_range(entries: &[Entry]) -> Result<()> {
    let Some(default) = number_of(entries, "default") else { return Ok(()) };
    let below = number_of(entries, "min").is_some_and(|min| default.value < min.value);
    let above = number_of(entries, "max").is_some_and(|max| default.value > max.value);
    if below || above {
        return Err(Error::new(default.span, "the default is outside `min` and `max`"));
    }
    Ok(())
}

fn number_of(entries: &[Entry], key: &str) -> Option<Number> {
    let entry = entries.iter().find(|entry| entry.key == key)?;
    entry.value().and_then(Number::read)
}

/// The same tokens, but the compiler shows `span` when something is wrong with them.
fn at(span: Span, tokens: TokenStream) -> TokenStream {
    let moved = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), at(span, group.stream())).into();
        }
        token.set_span(span.resolved_at(token.span()));
        token
    };
    tokens.into_iter().map(moved).collect()
}

/// The name of the outermost type.
pub(crate) fn type_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        Type::Group(group) => type_name(&group.elem),
        Type::Paren(paren) => type_name(&paren.elem),
        _ => None,
    }
}

fn is_option(ty: &Type) -> bool {
    type_name(ty).is_some_and(|name| name == "Option")
}

pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is always valid JSON")
}

/// `Some(value)` or `None`, for a constant.
pub(crate) fn option<T: ToTokens>(value: Option<T>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}

/// Whether two arguments have one name.
pub(crate) fn check_unique<'a>(arguments: impl Iterator<Item = &'a Argument>) -> Result<()> {
    let mut seen: Vec<&str> = Vec::new();
    for argument in arguments {
        if seen.contains(&argument.name.as_str()) {
            return Err(Error::new(
                argument.name_span,
                format!("two arguments are named `{}`", argument.name),
            ));
        }
        seen.push(&argument.name);
    }
    Ok(())
}
