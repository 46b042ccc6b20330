//! What `#[mcp_tool]` becomes: the function as it was, and an empty type of its name that the host's call goes through.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Attribute, Error, FnArg, Ident, ItemFn, Pat, Path, ReturnType, Type, Visibility, parse_quote,
    spanned::Spanned,
};

use crate::{
    argument::type_name,
    blob::Direction,
    check::{self, Checked},
    tool::{Role, Tool, blob_attrs},
};

/// Expands a function with `#[mcp_tool(tokens)]`.
pub(crate) fn expand(tokens: TokenStream, function: ItemFn) -> TokenStream {
    let parsed = Tool::parse(tokens, &function).and_then(|tool| {
        let checked = check::check(&tool)?;
        Ok((tool, checked))
    });
    match parsed {
        Ok((tool, checked)) => {
            let implementation = implementation(&tool, &checked, &function);
            let function = cleaned(function, &checked.used_by_paths);
            quote! { #function #implementation }
        }
        Err(error) => failed(function, &error),
    }
}

/// The error alone: the function stays, and `functions!` finds what it looks for.
fn failed(function: ItemFn, error: &Error) -> TokenStream {
    let error = error.to_compile_error();
    let ident = &function.sig.ident;
    let marker = marker(ident, &function.vis);
    let name = ident.to_string();
    let is_method = matches!(function.sig.inputs.first(), Some(FnArg::Receiver(_)));
    let stub = (!is_method).then(|| {
        quote! {
            #marker
            impl ::mcpfn_sdk::runtime::Function for #ident {
                const NAME: &'static str = #name;
                fn describe() -> ::mcpfn_sdk::wit::Function { ::core::unreachable!() }
                fn call(
                    _: &mut ::mcpfn_sdk::runtime::Call<'_>,
                ) -> ::core::result::Result<::mcpfn_sdk::wit::Completion, ::mcpfn_sdk::wit::Failure> {
                    ::core::unreachable!()
                }
            }
        }
    });
    let function = (!is_method).then(|| {
        let all: Vec<_> = function.sig.inputs.iter().filter_map(parameter_name).collect();
        cleaned(function, &all)
    });
    quote! { #error #function #stub }
}

/// Types have a namespace of their own, so the function's path names the type too.
fn marker(ident: &Ident, vis: &Visibility) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "it has the name of its function")]
        #[derive(Debug)]
        #vis enum #ident {}
    }
}

/// The function without our attributes.
fn cleaned(mut function: ItemFn, used_by_paths: &[Ident]) -> TokenStream {
    let mut used: Vec<Path> = Vec::new();
    strip(&mut function.attrs, &mut used);
    for input in &mut function.sig.inputs {
        let name = parameter_name(input);
        let FnArg::Typed(input) = input else { continue };
        strip(&mut input.attrs, &mut used);
        // rustc allows no doc comments on parameters, and what only a path uses is used.
        input.attrs.retain(|attr| !attr.path().is_ident("doc") && !attr.path().is_ident("arg"));
        if name.is_some_and(|name| used_by_paths.contains(&name)) {
            input.attrs.push(parse_quote!(#[allow(unused_variables, reason = "a path uses it")]));
        }
    }
    function.attrs.push(parse_quote! {
        #[allow(
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::unnecessary_wraps,
            reason = "its signature is the tool's interface"
        )]
    });
    // If the guest forgot the import, the error is at the attribute.
    let imports = used.iter().map(|path| {
        quote_spanned! { shown_at(path) =>
            #[allow(unused_imports, reason = "the attribute is gone, its import is not")]
            use #path as _;
        }
    });
    quote! { #(#imports)* #function }
}

/// Removes our attributes and keeps their paths, so that their imports count as used.
fn strip(attrs: &mut Vec<Attribute>, used: &mut Vec<Path>) {
    for (attr, _) in blob_attrs(attrs) {
        used.push(attr.path().clone());
    }
    attrs.retain(|attr| Direction::of(attr).is_none());
}

fn parameter_name(input: &FnArg) -> Option<Ident> {
    match input {
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(pat) => Some(pat.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

fn implementation(tool: &Tool, checked: &Checked, function: &ItemFn) -> TokenStream {
    let (ident, name) = (&tool.ident, &tool.declaration.name);
    let marker = marker(ident, &function.vis);
    let bindings: Vec<_> =
        tool.bindings.iter().map(|binding| binding.blob.spec(&binding.name)).collect();
    let spec = tool.declaration.spec(&bindings);
    let constants = &checked.constants;
    let checks = tool.arguments().map(crate::argument::Argument::checks);
    let argument_types: Vec<_> = tool.arguments().map(|argument| &argument.ty).collect();
    let specs = tool.arguments().map(crate::argument::Argument::spec);
    let spec_idents: Vec<_> =
        (0..argument_types.len()).map(|idx| format_ident!("__SPEC_{idx}")).collect();
    let properties = argument_types.iter().zip(&spec_idents).map(|(ty, spec)| {
        quote_spanned! { shown_at(ty) =>
            __properties.extend(<#ty as ::mcpfn_sdk::runtime::Parameter>::properties(&#spec));
        }
    });
    let one_way = argument_types.last().map(|last| {
        quote_spanned! { shown_at(last) =>
            const _: () = ::mcpfn_sdk::runtime::assert_one_way(&[
                #(<#argument_types as ::mcpfn_sdk::runtime::Parameter>::KIND),*
            ]);
        }
    });
    let Call { takes, names, puts } = call(tool, &spec_idents);
    let (schema, outcome) = result(&function.sig.output);
    quote! {
        #marker
        const _: () = {
            #[allow(unused_imports, reason = "each is for some types only")]
            use ::mcpfn_sdk::runtime::{
                ByBlobInput as _, ByBlobOutput as _, ByDeserialize as _, ByDeserializeOption as _, ByNoInput as _,
                ByNoOutput as _, ByNoReturn as _, ByResult as _, ByReturn as _, BySerialize as _,
                BySerializeOutput as _,
            };

            static __TOOL: ::mcpfn_sdk::runtime::ToolSpec = #spec;
            #(static #spec_idents: ::mcpfn_sdk::runtime::ArgumentSpec = #specs;)*
            #(#checks)*
            #(#constants)*
            #one_way

            impl ::mcpfn_sdk::runtime::Function for #ident {
                const NAME: &'static str = #name;

                fn describe() -> ::mcpfn_sdk::wit::Function {
                    #[allow(unused_mut, reason = "a tool may have no arguments")]
                    let mut __properties = ::std::vec::Vec::new();
                    #(#properties)*
                    __TOOL.describe(__properties, #schema)
                }

                fn call(
                    __call: &mut ::mcpfn_sdk::runtime::Call<'_>,
                ) -> ::core::result::Result<::mcpfn_sdk::wit::Completion, ::mcpfn_sdk::wit::Failure> {
                    #(#takes)*
                    let __value = #ident(#(#names),*);
                    #[allow(unused_mut, reason = "a tool may have no outputs")]
                    let mut __completion = ::mcpfn_sdk::runtime::completion(#outcome?);
                    #(#puts)*
                    ::core::result::Result::Ok(__completion)
                }
            }
        };
    }
}

/// The three steps around the call of the function.
#[derive(Default)]
struct Call {
    takes: Vec<TokenStream>,
    names: Vec<TokenStream>,
    puts: Vec<TokenStream>,
}

fn call(tool: &Tool, specs: &[Ident]) -> Call {
    let mut call = Call::default();
    let mut specs = specs.iter();
    for (idx, parameter) in tool.parameters.iter().enumerate() {
        let (local, ty) = (format_ident!("__parameter_{idx}"), &parameter.ty);
        let span = shown_at(ty);
        match &parameter.role {
            Role::Argument(_) => {
                let spec = specs.next().expect("there is one for every argument");
                call.takes
                    .push(quote_spanned!(span=> let #local = __call.parameter::<#ty>(&#spec)?;));
                call.names.push(quote!(#local));
            }
            Role::Input(name) => {
                call.takes.push(quote_spanned! { span =>
                    let __value = __call.input(#name);
                    let #local: #ty = (&&&&::mcpfn_sdk::runtime::Probe::<#ty>::known()).input(#name, __value)?;
                });
                call.names.push(quote!(#local));
            }
            Role::Output(name, inner) => {
                let inner_span = shown_at(inner);
                call.takes.push(quote_spanned!(span=> let #local: #ty = ::mcpfn_sdk::Out::new();));
                call.names.push(quote!(::core::clone::Clone::clone(&#local)));
                call.puts.push(quote_spanned! { inner_span =>
                    __completion.outputs.extend(
                        (&&&::mcpfn_sdk::runtime::Probe::<#inner>::known())
                            .output(#name, ::mcpfn_sdk::runtime::take(&#local))?,
                    );
                });
            }
        }
    }
    call
}

/// The output schema of the return type, and the outcome of `__value`.
fn result(output: &ReturnType) -> (TokenStream, TokenStream) {
    let ReturnType::Type(_, ty) = output else {
        let outcome = quote!(::mcpfn_sdk::runtime::Return::into_outcome(__value));
        return (option_none(), outcome);
    };
    let span = shown_at(ty);
    let value = Ident::new("__value", span);
    let probe =
        quote_spanned!(span=> (&&&&::mcpfn_sdk::runtime::Probe::of(&#value)).outcome(#value));
    // Taken apart here, so that what is inside may be anything that a tool can return.
    if type_name(ty).is_some_and(|name| name == "Result") {
        let schema = schema(&parse_quote!(<#ty as ::mcpfn_sdk::runtime::Fallible>::Ok), span);
        let outcome = quote_spanned! { span =>
            match #value {
                ::core::result::Result::Ok(#value) => #probe,
                ::core::result::Result::Err(__error) => {
                    ::core::result::Result::Err(::mcpfn_sdk::runtime::failed(&__error))
                }
            }
        };
        return (schema, outcome);
    }
    let schema = match &**ty {
        Type::ImplTrait(_) => option_none(),
        _ => schema(ty, span),
    };
    (schema, probe)
}

fn schema(ty: &Type, span: Span) -> TokenStream {
    quote_spanned!(span=> (&&&&::mcpfn_sdk::runtime::Probe::<#ty>::known()).schema())
}

/// The place that the compiler shows, where our own names still mean what they mean here, even if the type came
/// through a `macro_rules` of the guest.
fn shown_at(tokens: &impl ToTokens) -> Span {
    tokens.span().resolved_at(Span::call_site())
}

fn option_none() -> TokenStream {
    quote!(::core::option::Option::None)
}
