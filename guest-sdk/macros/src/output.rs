//! `#[derive(ToolOutput)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Error, Ident, LitStr, Meta, Result, Type, ext::IdentExt};

use crate::{
    argument::option,
    attribute,
    derive::{check_plain, named_fields, rename_all, variants},
    doc,
    name::Casing,
};

/// Expands `#[derive(ToolOutput)]`.
pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    check_plain(input)?;
    let casing = match rename_all(&input.attrs, "output")? {
        Some(casing) => Some(casing),
        None => Serde::parse(&input.attrs)?.rename_all,
    };
    match &input.data {
        Data::Enum(data) => {
            let (idents, names) = variants(data, casing, "output")?;
            let ident = &input.ident;
            Ok(quote! {
                impl ::mcpfn_sdk::ToolOutput for #ident {
                    fn schema() -> ::mcpfn_sdk::Schema {
                        ::mcpfn_sdk::Schema::one_of([#(#names),*])
                    }

                    fn write_json(&self, json: &mut ::std::string::String) {
                        ::mcpfn_sdk::ToolOutput::write_json(&match self { #(Self::#idents => #names),* }, json);
                    }
                }
            })
        }
        _ => object(input, casing),
    }
}

fn object(input: &DeriveInput, casing: Option<Casing>) -> Result<TokenStream> {
    let mut fields = Vec::new();
    for (ident, field) in named_fields(input)? {
        if let Some(field) = OutputField::parse(ident, &field.ty, &field.attrs, casing)? {
            if fields.iter().any(|earlier: &OutputField| earlier.name == field.name) {
                return Err(Error::new_spanned(
                    ident,
                    format!("two fields are named `{}`", field.name),
                ));
            }
            fields.push(field);
        }
    }
    let ident = &input.ident;
    let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let types = fields.iter().map(|field| &field.ty);
    let descriptions = fields.iter().map(|field| {
        let text = field.description.as_ref();
        option(text.map(|text| quote!(::std::string::String::from(#text))))
    });
    let types: Vec<_> = types.collect();
    Ok(quote! {
        impl ::mcpfn_sdk::ToolOutput for #ident {
            fn schema() -> ::mcpfn_sdk::Schema {
                ::mcpfn_sdk::Schema::object(::std::vec![#(
                    ::mcpfn_sdk::Property {
                        name: ::std::string::String::from(#names),
                        description: #descriptions,
                        required: !<#types as ::mcpfn_sdk::ToolOutput>::OPTIONAL,
                        schema: <#types as ::mcpfn_sdk::ToolOutput>::schema(),
                    }
                ),*])
            }

            fn write_json(&self, json: &mut ::std::string::String) {
                #[allow(unused_mut, reason = "there may be no fields")]
                let mut object = ::mcpfn_sdk::runtime::ObjectWriter::begin();
                #(object.field(#names, &self.#idents);)*
                json.push_str(&object.finish());
            }
        }

        impl ::mcpfn_sdk::ResourceReturn for #ident {
            fn into_contents(self) -> ::core::result::Result<::mcpfn_sdk::wit::Outcome, ::mcpfn_sdk::wit::Failure> {
                ::mcpfn_sdk::Return::into_outcome(self)
            }
        }

        impl ::mcpfn_sdk::Return for #ident {
            fn into_outcome(self) -> ::core::result::Result<::mcpfn_sdk::wit::Outcome, ::mcpfn_sdk::wit::Failure> {
                let mut json = ::std::string::String::new();
                ::mcpfn_sdk::ToolOutput::write_json(&self, &mut json);
                ::core::result::Result::Ok(::mcpfn_sdk::wit::Outcome::Value(json))
            }

            fn output_schema() -> ::core::option::Option<::std::string::String> {
                ::core::option::Option::Some(<Self as ::mcpfn_sdk::ToolOutput>::schema().to_json())
            }
        }
    })
}

struct OutputField {
    ident: Ident,
    ty: Type,
    name: String,
    description: Option<String>,
}

impl OutputField {
    fn parse(
        ident: &Ident,
        ty: &Type,
        attrs: &[Attribute],
        casing: Option<Casing>,
    ) -> Result<Option<Self>> {
        let serde = Serde::parse(attrs)?;
        if serde.skip {
            return Ok(None);
        }
        let own = ident.unraw().to_string();
        let mut field = Self {
            ident: ident.clone(),
            ty: ty.clone(),
            name: serde
                .rename
                .unwrap_or_else(|| casing.map_or_else(|| own.clone(), |casing| casing.apply(&own))),
            description: doc::description(attrs),
        };
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("output")) {
            let tokens = attr.meta.require_list()?.tokens.clone();
            for entry in attribute::parse("output", tokens, &["name", "description"])? {
                let text = entry.text()?.value();
                match entry.key.to_string().as_str() {
                    "name" => field.name = text,
                    _ => field.description = Some(text),
                }
            }
        }
        Ok(Some(field))
    }
}

/// What serde's attributes say, for types that derive `Serialize` too: both must write the same names.
#[derive(Default)]
struct Serde {
    rename: Option<String>,
    rename_all: Option<Casing>,
    skip: bool,
}

impl Serde {
    fn parse(attrs: &[Attribute]) -> Result<Self> {
        let mut serde = Self::default();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
            if let Meta::List(_) = &attr.meta {
                attr.parse_nested_meta(|meta| serde.read(&meta))?;
            }
        }
        Ok(serde)
    }

    fn read(&mut self, meta: &syn::meta::ParseNestedMeta<'_>) -> Result<()> {
        let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match key.as_str() {
            "rename" if meta.input.peek(syn::Token![=]) => {
                self.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            }
            "rename_all" if meta.input.peek(syn::Token![=]) => {
                self.rename_all = Some(Casing::parse(&meta.value()?.parse()?)?);
            }
            "skip" | "skip_serializing" => self.skip = true,
            // What is absent is left out in any case; the others are about reading.
            "crate"
            | "default"
            | "skip_serializing_if"
            | "skip_deserializing"
            | "deny_unknown_fields"
            | "alias" => {
                if meta.input.peek(syn::Token![=]) {
                    meta.value()?.parse::<LitStr>()?;
                }
            }
            _ => {
                let message = format!(
                    "`ToolOutput` does not know serde's `{key}`: leave the derive out, and give the schema in \
                     `#[mcp_tool(output_schema = \"..\")]`"
                );
                return Err(meta.error(message));
            }
        }
        Ok(())
    }
}
