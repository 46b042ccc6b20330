//! `#[derive(Argument)]` and `#[derive(ToolArguments)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Field, Fields, Ident, Result, ext::IdentExt,
    spanned::Spanned,
};

use crate::{
    argument::{self, Argument},
    attribute,
    name::Casing,
};

/// Expands `#[derive(Argument)]`.
pub(crate) fn argument(input: &DeriveInput) -> Result<TokenStream> {
    check_plain(input)?;
    let casing = rename_all(&input.attrs, "arg")?;
    match &input.data {
        Data::Struct(_) => {
            let fields = ArgumentFields::parse(input, casing)?;
            let ArgumentFields { checks, idents, types, specs } = &fields;
            let ident = &input.ident;
            Ok(quote! {
                #(#checks)*
                impl ::mcpfn_sdk::Argument for #ident {
                    fn schema() -> ::mcpfn_sdk::Schema {
                        ::mcpfn_sdk::Schema::object(::std::vec![#(#specs.property::<#types>()),*])
                    }

                    fn from_json(json: &str) -> ::core::result::Result<Self, ::mcpfn_sdk::ArgumentError> {
                        let arguments = ::mcpfn_sdk::Arguments::parse(json)?;
                        ::core::result::Result::Ok(Self { #(#idents: #specs.take::<#types>(&arguments)?),* })
                    }
                }
            })
        }
        Data::Enum(data) => text_enum(&input.ident, data, casing),
        Data::Union(_) => Err(Error::new_spanned(&input.ident, "a union is no argument")),
    }
}

/// Expands `#[derive(ToolArguments)]`.
pub(crate) fn tool_arguments(input: &DeriveInput) -> Result<TokenStream> {
    check_plain(input)?;
    let fields = ArgumentFields::parse(input, rename_all(&input.attrs, "arg")?)?;
    let ArgumentFields { checks, idents, types, specs } = &fields;
    let ident = &input.ident;
    Ok(quote! {
        #(#checks)*
        impl ::mcpfn_sdk::ToolArguments for #ident {
            fn properties() -> ::std::vec::Vec<::mcpfn_sdk::Property> {
                ::std::vec![#(#specs.property::<#types>()),*]
            }

            fn from_arguments(
                arguments: &::mcpfn_sdk::Arguments<'_>,
            ) -> ::core::result::Result<Self, ::mcpfn_sdk::ArgumentError> {
                ::core::result::Result::Ok(Self { #(#idents: #specs.take::<#types>(arguments)?),* })
            }
        }

        impl ::mcpfn_sdk::runtime::Parameter for #ident {
            const KIND: ::mcpfn_sdk::runtime::ParameterKind = ::mcpfn_sdk::runtime::ParameterKind::Arguments;

            fn properties(_: &::mcpfn_sdk::runtime::ArgumentSpec) -> ::std::vec::Vec<::mcpfn_sdk::Property> {
                <Self as ::mcpfn_sdk::ToolArguments>::properties()
            }

            fn take(
                call: &::mcpfn_sdk::runtime::Call<'_>,
                _: &::mcpfn_sdk::runtime::ArgumentSpec,
            ) -> ::core::result::Result<Self, ::mcpfn_sdk::ArgumentError> {
                <Self as ::mcpfn_sdk::ToolArguments>::from_arguments(call.arguments())
            }
        }
    })
}

/// The fields of a struct, as arguments.
struct ArgumentFields {
    checks: Vec<TokenStream>,
    idents: Vec<Ident>,
    types: Vec<syn::Type>,
    specs: Vec<TokenStream>,
}

impl ArgumentFields {
    fn parse(input: &DeriveInput, casing: Option<Casing>) -> Result<Self> {
        let mut arguments = Vec::new();
        let mut idents = Vec::new();
        for (ident, field) in named_fields(input)? {
            arguments.push(Argument::parse(
                ident,
                &field.ty,
                &field.attrs,
                casing,
                argument::KEYS,
            )?);
            idents.push(ident.clone());
        }
        argument::check_unique(arguments.iter())?;
        Ok(Self {
            checks: arguments.iter().map(Argument::checks).collect(),
            idents,
            types: arguments.iter().map(|argument| argument.ty.clone()).collect(),
            specs: arguments.iter().map(Argument::spec).collect(),
        })
    }
}

fn text_enum(ident: &Ident, data: &DataEnum, casing: Option<Casing>) -> Result<TokenStream> {
    let (variants, names) = variants(data, casing, "arg")?;
    let expected =
        format!("one of {}", names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "));
    Ok(quote! {
        impl ::mcpfn_sdk::Argument for #ident {
            fn schema() -> ::mcpfn_sdk::Schema {
                ::mcpfn_sdk::Schema::one_of([#(#names),*])
            }

            fn from_json(json: &str) -> ::core::result::Result<Self, ::mcpfn_sdk::ArgumentError> {
                match <::std::string::String as ::mcpfn_sdk::Argument>::from_json(json)?.as_str() {
                    #(#names => ::core::result::Result::Ok(Self::#variants),)*
                    _ => ::core::result::Result::Err(::mcpfn_sdk::ArgumentError::new(
                        ::std::format!("expected {}, got {}", #expected, json),
                    )),
                }
            }
        }

        impl ::mcpfn_sdk::TextArgument for #ident {
            fn from_text(text: &str) -> ::core::result::Result<Self, ::mcpfn_sdk::ArgumentError> {
                ::mcpfn_sdk::runtime::from_quoted(text)
            }
        }

        impl ::mcpfn_sdk::Text for #ident {
            const VALUES: &'static [&'static str] = &[#(#names),*];
        }
    })
}

/// The variants of an enum that stands for texts, and those texts.
pub(crate) fn variants<'a>(
    data: &'a DataEnum,
    casing: Option<Casing>,
    attribute: &str,
) -> Result<(Vec<&'a Ident>, Vec<String>)> {
    let (mut idents, mut names) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new(
                variant.fields.span(),
                "the enum stands for texts: a variant carries nothing",
            ));
        }
        let own = variant.ident.unraw().to_string();
        let (mut name, mut span) =
            (casing.map_or_else(|| own.clone(), |casing| casing.apply(&own)), variant.ident.span());
        for attr in variant.attrs.iter().filter(|attr| attr.path().is_ident(attribute)) {
            for entry in
                attribute::parse(attribute, attr.meta.require_list()?.tokens.clone(), &["name"])?
            {
                let text = entry.text()?;
                (name, span) = (text.value(), text.span());
            }
        }
        if names.contains(&name) {
            return Err(Error::new(span, format!("two variants are named `{name}`")));
        }
        idents.push(&variant.ident);
        names.push(name);
    }
    if idents.is_empty() {
        return Err(Error::new(data.enum_token.span, "an enum without variants has no value"));
    }
    Ok((idents, names))
}

/// The fields of a struct that has names for them.
pub(crate) fn named_fields(input: &DeriveInput) -> Result<impl Iterator<Item = (&Ident, &Field)>> {
    match &input.data {
        Data::Struct(data) if matches!(data.fields, Fields::Named(_)) => {
            Ok(data.fields.iter().filter_map(|field| Some((field.ident.as_ref()?, field))))
        }
        _ => Err(Error::new_spanned(&input.ident, "this is for structs with named fields")),
    }
}

/// `rename_all = ".."` above the type.
pub(crate) fn rename_all(attrs: &[Attribute], attribute: &str) -> Result<Option<Casing>> {
    let mut casing = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(attribute)) {
        for entry in
            attribute::parse(attribute, attr.meta.require_list()?.tokens.clone(), &["rename_all"])?
        {
            casing = Some(Casing::parse(&entry.text()?)?);
        }
    }
    Ok(casing)
}

/// One schema for one type.
pub(crate) fn check_plain(input: &DeriveInput) -> Result<()> {
    if input.generics.params.is_empty() {
        return Ok(());
    }
    Err(Error::new(input.generics.span(), "a generic type has no schema of its own"))
}
