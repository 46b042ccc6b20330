//! What the attribute of a trigger becomes: the function as it was, and an empty type of its name that the host's call
//! goes through.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Error, FnArg, Ident, ItemFn, Pat, Path, Visibility, parse_quote};

use crate::{
    argument::Argument,
    binding::Form,
    check::{self, Checked},
    completion,
    container::{self, Container},
    declaration::Declaration,
    function::{Function, Role},
    outcome,
    shown_at::shown_at,
    trigger::Kind,
};

/// Expands a function with the attribute of a trigger, which has these tokens.
pub(crate) fn expand(kind: Kind, tokens: TokenStream, item: ItemFn) -> TokenStream {
    let parsed = Function::parse(kind, tokens, &item).and_then(|function| {
        let checked = check::check(&function)?;
        Ok((function, checked))
    });
    match parsed {
        Ok((function, checked)) => {
            let implementation = implementation(&function, &checked, &item);
            let item = cleaned(item, &checked.used_by_bindings);
            quote! { #item #implementation }
        }
        Err(error) => failed(item, &error),
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
fn cleaned(mut function: ItemFn, used_by_bindings: &[Ident]) -> TokenStream {
    let mut used: Vec<Path> = Vec::new();
    strip(&mut function.attrs, &mut used);
    for input in &mut function.sig.inputs {
        let name = parameter_name(input);
        let FnArg::Typed(input) = input else { continue };
        strip(&mut input.attrs, &mut used);
        // rustc allows no doc comments on parameters, and what only a binding uses is used.
        input.attrs.retain(|attr| {
            !attr.path().is_ident("doc") && !attr.path().is_ident("arg") && !completion::is(attr)
        });
        if name.is_some_and(|name| used_by_bindings.contains(&name)) {
            input
                .attrs
                .push(parse_quote!(#[allow(unused_variables, reason = "a binding uses it")]));
        }
    }
    function.attrs.push(parse_quote! {
        #[allow(
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::unnecessary_wraps,
            reason = "its signature is the interface"
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
    let is_ours = |attr: &Attribute| Form::of(attr).is_some() || container::is(attr);
    used.extend(attrs.iter().filter(|attr| is_ours(attr)).map(|attr| attr.path().clone()));
    attrs.retain(|attr| !is_ours(attr));
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

fn implementation(function: &Function, checked: &Checked, item: &ItemFn) -> TokenStream {
    let (ident, name) = (&function.ident, function.declaration.function_name());
    let marker = marker(ident, &item.vis);
    let constants = &checked.constants;
    let checks = function.arguments().map(Argument::checks);
    let specs: Vec<_> = function.arguments().map(Argument::spec).collect();
    let spec_idents: Vec<_> = (0..specs.len()).map(|idx| format_ident!("__SPEC_{idx}")).collect();
    let Declared { spec, describe, one_way } = declared(function, &spec_idents, item);
    let Call { takes, names, puts } = call(function, &spec_idents);
    let outcome = outcome::outcome(function.declaration.kind(), &item.sig.output);
    let complete = complete(function);
    quote! {
        #marker
        const _: () = {
            #[allow(unused_imports, reason = "each is for some types only")]
            use ::mcpfn_sdk::runtime::{
                AnyForm as _, ByBlobInput as _, ByBlobOutput as _, ByDeserialize as _, ByDeserializeOption as _, ByNoContents as _,
                ByNoInput as _, ByNoOutput as _, ByNoReturn as _, ByResourceReturn as _, ByResult as _,
                ByResultContents as _, ByReturn as _, BySerialize as _, BySerializeContents as _,
                BySerializeOutput as _,
            };

            #spec
            #(static #spec_idents: ::mcpfn_sdk::runtime::ArgumentSpec = #specs;)*
            #(#checks)*
            #(#constants)*
            #one_way

            impl ::mcpfn_sdk::runtime::Function for #ident {
                const NAME: &'static str = #name;

                fn describe() -> ::mcpfn_sdk::wit::Function {
                    #describe
                }

                fn call(
                    __call: &mut ::mcpfn_sdk::runtime::Call<'_>,
                ) -> ::core::result::Result<::mcpfn_sdk::wit::Completion, ::mcpfn_sdk::wit::Failure> {
                    #(#takes)*
                    let __value = #ident(#(#names),*);
                    #[allow(unused_mut, reason = "there may be no outputs")]
                    let mut __completion = ::mcpfn_sdk::runtime::completion(#outcome?);
                    #(#puts)*
                    ::core::result::Result::Ok(::mcpfn_sdk::runtime::finished(__completion))
                }

                #complete
            }
        };
    }
}

/// What the host reads of a function.
struct Declared {
    /// The static with what the attribute says.
    spec: TokenStream,
    /// The body of `describe`.
    describe: TokenStream,
    /// A constant that compiles only if the parameters go together.
    one_way: Option<TokenStream>,
}

fn declared(function: &Function, specs: &[Ident], item: &ItemFn) -> Declared {
    let bindings: Vec<_> = function
        .bindings
        .iter()
        .map(|named| named.binding.spec(&named.name, named.carrier.as_ref()))
        .collect();
    let containers = function.containers.iter().map(Container::spec);
    let storage = quote! {
        ::mcpfn_sdk::runtime::StorageSpec { bindings: &[#(#bindings),*], containers: &[#(#containers),*] }
    };
    let types: Vec<_> = function.arguments().map(|argument| &argument.ty).collect();
    match &function.declaration {
        Declaration::Tool(tool) => {
            let spec = tool.spec(&storage);
            let properties = types.iter().zip(specs).map(|(ty, spec)| {
                quote_spanned! { shown_at(ty) =>
                    __properties.extend(<#ty as ::mcpfn_sdk::runtime::Parameter>::properties(&#spec));
                }
            });
            let schema = outcome::schema(&item.sig.output);
            let one_way = types.last().map(|last| {
                quote_spanned! { shown_at(last) =>
                    const _: () = ::mcpfn_sdk::runtime::assert_one_way(&[
                        #(<#types as ::mcpfn_sdk::runtime::Parameter>::KIND),*
                    ]);
                }
            });
            Declared {
                spec: quote!(static __TOOL: ::mcpfn_sdk::runtime::ToolSpec = #spec;),
                describe: quote! {
                    #[allow(unused_mut, reason = "a tool may have no arguments")]
                    let mut __properties = ::std::vec::Vec::new();
                    #(#properties)*
                    __TOOL.describe(__properties, #schema)
                },
                one_way,
            }
        }
        Declaration::Resource(resource) => {
            let completes: Vec<_> = completed(function).map(|argument| &*argument.name).collect();
            let spec = resource.spec(&completes, &storage);
            Declared {
                spec: quote!(static __RESOURCE: ::mcpfn_sdk::runtime::ResourceSpec = #spec;),
                describe: quote!(__RESOURCE.describe()),
                one_way: None,
            }
        }
        Declaration::Prompt(prompt) => {
            let spec = prompt.spec(&storage);
            let arguments = types.iter().zip(specs).map(|(ty, spec)| {
                quote_spanned! { shown_at(ty) =>
                    __arguments.extend(<#ty as ::mcpfn_sdk::runtime::TextParameter>::prompt_argument(&#spec));
                }
            });
            Declared {
                spec: quote!(static __PROMPT: ::mcpfn_sdk::runtime::PromptSpec = #spec;),
                describe: quote! {
                    #[allow(unused_mut, reason = "a prompt may have no arguments")]
                    let mut __arguments = ::std::vec::Vec::new();
                    #(#arguments)*
                    __PROMPT.describe(__arguments)
                },
                one_way: None,
            }
        }
    }
}

/// The arguments that a function suggests values for.
fn completed(function: &Function) -> impl Iterator<Item = &Argument> {
    function.arguments().filter(|argument| argument.completion.is_some())
}

/// The answer to the entry `complete`.
fn complete(function: &Function) -> Option<TokenStream> {
    let arms: Vec<_> = completed(function)
        .map(|Argument { name, completion, .. }| {
            quote_spanned! { shown_at(&completion) =>
                #name => ::core::option::Option::Some(
                    ::core::convert::Into::<::mcpfn_sdk::Suggestions>::into(#completion(__completing)),
                ),
            }
        })
        .collect();
    (!arms.is_empty()).then(|| {
        quote! {
            fn complete(
                __completing: &::mcpfn_sdk::Completing,
            ) -> ::core::option::Option<::mcpfn_sdk::Suggestions> {
                match __completing.name() {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    })
}

/// The three steps around the call of the function.
#[derive(Default)]
struct Call {
    takes: Vec<TokenStream>,
    names: Vec<TokenStream>,
    puts: Vec<TokenStream>,
}

fn call(function: &Function, specs: &[Ident]) -> Call {
    let mut call = Call::default();
    let mut specs = specs.iter();
    let take = match function.declaration.kind() {
        Kind::Tool => "parameter",
        Kind::Resource | Kind::Prompt => "text_parameter",
    };
    for (idx, parameter) in function.parameters.iter().enumerate() {
        let (local, ty) = (format_ident!("__parameter_{idx}"), &parameter.ty);
        let span = shown_at(ty);
        match &parameter.role {
            Role::Argument(_) => {
                let spec = specs.next().expect("there is one for every argument");
                let take = Ident::new(take, span);
                call.takes.push(quote_spanned!(span=> let #local = __call.#take::<#ty>(&#spec)?;));
                call.names.push(quote!(#local));
            }
            Role::Input(noun, name) => {
                call.takes.push(quote_spanned! { span =>
                    let __input = __call.input(#noun, #name);
                    let #local: #ty = (&&&&::mcpfn_sdk::runtime::Probe::<#ty>::known()).input(__input)?;
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
            Role::Writer(name) => {
                call.takes.push(quote_spanned!(span=> let #local: #ty = __call.writer(#name);));
                call.names.push(quote!(::core::clone::Clone::clone(&#local)));
                call.puts.push(
                    quote!(::mcpfn_sdk::runtime::finish(#name, &#local, &mut __completion)?;),
                );
            }
            Role::Container(name) => {
                call.takes.push(quote_spanned!(span=> let #local: #ty = __call.container(#name);));
                call.names.push(quote!(#local));
            }
        }
    }
    call
}
