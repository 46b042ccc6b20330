//! `functions![..]`: the list of a component's functions and skills, and its exports.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{
    Error, Ident, LitStr, Path, Result, Token, bracketed,
    parse::{Parse, ParseStream, Parser},
    punctuated::Punctuated,
    spanned::Spanned,
};

use crate::skills;

/// `a, b::c; skills = ["skills/d"]`.
struct Component {
    functions: Punctuated<Path, Token![,]>,
    skills: Punctuated<LitStr, Token![,]>,
}

impl Parse for Component {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut component = Self { functions: Punctuated::new(), skills: Punctuated::new() };
        while !input.is_empty() && !input.peek(Token![;]) {
            if input.peek(Ident) && input.peek2(Token![=]) {
                let key: Ident = input.parse()?;
                let message = format!("write `;` before `{key}`, after the last function");
                return Err(Error::new(key.span(), message));
            }
            component.functions.push_value(input.parse()?);
            if input.is_empty() || input.peek(Token![;]) {
                break;
            }
            component.functions.push_punct(input.parse()?);
        }
        if input.is_empty() {
            return Ok(component);
        }
        input.parse::<Token![;]>()?;
        let key: Ident = input.parse()?;
        if key != "skills" {
            let message = format!("`functions!` has no key `{key}`: write `skills = [\"..\"]`");
            return Err(Error::new(key.span(), message));
        }
        input.parse::<Token![=]>()?;
        let list;
        bracketed!(list in input);
        component.skills = Punctuated::parse_terminated(&list)?;
        input.parse::<Option<Token![,]>>()?;
        Ok(component)
    }
}

/// Expands `functions![tokens]`.
pub(crate) fn expand(tokens: TokenStream) -> Result<TokenStream> {
    let Component { functions, skills } = Component::parse.parse2(tokens)?;
    if functions.is_empty() && skills.is_empty() {
        return Err(Error::new(Span::call_site(), "a component has at least one function"));
    }
    let paths: Vec<_> = functions.iter().map(|path| path.to_token_stream().to_string()).collect();
    if let Some((_, twice)) =
        functions.iter().enumerate().find(|(idx, _)| paths[..*idx].contains(&paths[*idx]))
    {
        return Err(Error::new_spanned(twice, "the function is listed twice"));
    }
    if let Some((_, twice)) = skills.iter().enumerate().find(|(idx, folder)| {
        skills.iter().take(*idx).any(|earlier| earlier.value() == folder.value())
    }) {
        return Err(Error::new_spanned(twice, "the skill is listed twice"));
    }
    let skills = skills.iter().map(skills::expand).collect::<Result<Vec<_>>>()?;
    let entries = functions.iter().map(|path| {
        quote_spanned! { path.span().resolved_at(Span::call_site()) =>
            <#path as ::mcpfn_sdk::runtime::Function>::ENTRY
        }
    });
    Ok(quote! {
        const _: () = {
            static FUNCTIONS: &[::mcpfn_sdk::runtime::Entry] = &[#(#entries),*];
            static SKILLS: &[::mcpfn_sdk::runtime::Skill] = &[#(#skills),*];
            const _: () = ::mcpfn_sdk::runtime::assert_unique_names(FUNCTIONS);

            struct Component;

            impl ::mcpfn_sdk::wit::exports::mcpfn::function::handler::Guest for Component {
                fn describe() -> ::mcpfn_sdk::wit::Description {
                    ::mcpfn_sdk::runtime::describe(FUNCTIONS, SKILLS)
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
