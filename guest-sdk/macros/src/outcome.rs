//! What a function returns, and what the invocation came to.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ReturnType, Type, parse_quote};

use crate::{argument::type_name, shown_at::shown_at, trigger::Kind};

/// The expression that makes `__value` an outcome.
pub(crate) fn outcome(kind: Kind, output: &ReturnType) -> TokenStream {
    let ReturnType::Type(_, ty) = output else {
        return match kind {
            Kind::Tool => quote!(::mcpfn_sdk::runtime::Return::into_outcome(__value)),
            Kind::Resource => quote!(::mcpfn_sdk::runtime::ResourceReturn::into_contents(__value)),
            Kind::Prompt => quote!(::mcpfn_sdk::runtime::PromptReturn::into_messages(__value)),
        };
    };
    let span = shown_at(ty);
    let value = Ident::new("__value", span);
    let converted = match kind {
        Kind::Tool => probed(span, "outcome", &value),
        Kind::Resource => probed(span, "contents", &value),
        Kind::Prompt => {
            quote_spanned!(span=> ::mcpfn_sdk::runtime::PromptReturn::into_messages(#value))
        }
    };
    if !is_result(ty) {
        return converted;
    }
    // Taken apart here, so that what is inside may be anything that a function can return.
    quote_spanned! { span =>
        match #value {
            ::core::result::Result::Ok(#value) => #converted,
            ::core::result::Result::Err(__error) => ::mcpfn_sdk::runtime::Refusal::into_outcome(__error),
        }
    }
}

/// The output schema of the return type.
pub(crate) fn schema(output: &ReturnType) -> TokenStream {
    let ReturnType::Type(_, ty) = output else {
        return quote!(::core::option::Option::None);
    };
    let span = shown_at(ty);
    match &**ty {
        Type::ImplTrait(_) => quote!(::core::option::Option::None),
        _ if is_result(ty) => {
            schema_of(&parse_quote!(<#ty as ::mcpfn_sdk::runtime::Fallible>::Ok), span)
        }
        _ => schema_of(ty, span),
    }
}

fn probed(span: Span, method: &str, value: &Ident) -> TokenStream {
    let method = Ident::new(method, span);
    quote_spanned!(span=> (&&&&::mcpfn_sdk::runtime::Probe::of(&#value)).#method(#value))
}

fn schema_of(ty: &Type, span: Span) -> TokenStream {
    quote_spanned!(span=> (&&&&::mcpfn_sdk::runtime::Probe::<#ty>::known()).schema())
}

fn is_result(ty: &Type) -> bool {
    type_name(ty).is_some_and(|name| name == "Result")
}
