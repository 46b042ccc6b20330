//! `functions![..]`: the list of a component's functions, and its exports.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Error, Path, Result, Token, parse::Parser, punctuated::Punctuated, spanned::Spanned};

/// Expands `functions![tokens]`.
pub(crate) fn expand(tokens: TokenStream) -> Result<TokenStream> {
    let functions = Punctuated::<Path, Token![,]>::parse_terminated.parse2(tokens)?;
    if functions.is_empty() {
        return Err(Error::new(Span::call_site(), "a component has at least one function"));
    }
    let paths: Vec<_> = functions.iter().map(|path| path.to_token_stream().to_string()).collect();
    if let Some((_, twice)) =
        functions.iter().enumerate().find(|(idx, _)| paths[..*idx].contains(&paths[*idx]))
    {
        return Err(Error::new_spanned(twice, "the function is listed twice"));
    }
    let entries = functions.iter().map(|path| {
        quote_spanned! { path.span().resolved_at(Span::call_site()) =>
            <#path as ::mcpfn_sdk::runtime::Function>::ENTRY
        }
    });
    Ok(quote! {
        const _: () = {
            static FUNCTIONS: &[::mcpfn_sdk::runtime::Entry] = &[#(#entries),*];
            const _: () = ::mcpfn_sdk::runtime::assert_unique_names(FUNCTIONS);

            struct Component;

            impl ::mcpfn_sdk::wit::exports::mcpfn::function::handler::Guest for Component {
                fn describe() -> ::mcpfn_sdk::wit::Description {
                    ::mcpfn_sdk::runtime::describe(FUNCTIONS)
                }

                fn invoke(
                    call: ::mcpfn_sdk::wit::Invocation,
                ) -> ::core::result::Result<::mcpfn_sdk::wit::Completion, ::mcpfn_sdk::wit::Failure> {
                    ::mcpfn_sdk::runtime::invoke(FUNCTIONS, call)
                }
            }

            // Natively there is nobody to export to, and a library with such exports does not link.
            #[cfg(target_family = "wasm")]
            ::mcpfn_sdk::wit::export_component!(Component with_types_in ::mcpfn_sdk::wit);
        };
    })
}
