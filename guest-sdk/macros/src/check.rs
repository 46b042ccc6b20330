//! What must hold between the parts of a function: every binding has its parameter, every text its arguments, every
//! variable of a URI its parameter.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Error, Ident, LitStr, Result, Type, spanned::Spanned};

use crate::{
    argument::{self, Argument, type_name},
    binding::{Direction, RETURN},
    declaration::Declaration,
    function::{Function, NamedBinding},
    name,
    resource::Resource,
    template::{self, Match},
    trigger::Kind,
};

/// Types of parameters that are filled from elsewhere.
const CONTEXTS: &[&str] = &["ToolContext", "Ask"];

/// Types that are certainly not a struct of all arguments.
const SINGLE: &[&str] = &[
    "String",
    "char",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "f32",
    "f64",
    "Option",
    "Vec",
    "HashMap",
    "BTreeMap",
    "Map",
    "Value",
    "Json",
    "ToolContext",
    "Ask",
];

/// What the checks found out.
pub(crate) struct Checked {
    /// Arguments that a binding names: the function need not use them.
    pub(crate) used_by_bindings: Vec<Ident>,
    /// Constants that check what only the types know.
    pub(crate) constants: Vec<TokenStream>,
}

/// Checks a function.
pub(crate) fn check(function: &Function) -> Result<Checked> {
    argument::check_unique(function.arguments())?;
    if let Declaration::Resource(resource) = &function.declaration {
        check_variables(function, resource)?;
    }
    for binding in &function.bindings {
        check_binding(function, binding)?;
    }
    let mut checked = Checked { used_by_bindings: Vec::new(), constants: Vec::new() };
    for named in &function.bindings {
        for (noun, text) in &named.binding.templates {
            check_template(function, noun, text, &mut checked)?;
        }
    }
    for named in &function.bindings {
        checked.constants.extend((named.binding.form.check)(function, named)?);
    }
    Ok(checked)
}

/// The arguments that are certainly not filled from elsewhere.
fn plain_arguments(function: &Function) -> Vec<&Argument> {
    let is_context = |argument: &&Argument| {
        type_name(&argument.ty).is_some_and(|name| CONTEXTS.iter().any(|context| name == context))
    };
    function.arguments().filter(|argument| !is_context(argument)).collect()
}

/// Every variable of the URI is a parameter, and the other way round.
fn check_variables(function: &Function, resource: &Resource) -> Result<()> {
    let arguments = plain_arguments(function);
    let names: Vec<_> = arguments.iter().map(|argument| &argument.name).collect();
    for variable in &resource.variables {
        if !names.contains(&variable) {
            let hint = name::hint(variable, &names);
            let message = format!("`{{{variable}}}` of the URI has no parameter{hint}");
            return Err(Error::new(resource.uri.span(), message));
        }
    }
    for argument in arguments {
        if !resource.variables.contains(&argument.name) {
            let name = &argument.name;
            let message = format!("`{name}` is no variable of the URI: write `{{{name}}}` there");
            return Err(Error::new(argument.name_span, message));
        }
    }
    Ok(())
}

fn check_binding(
    function: &Function,
    NamedBinding { name, binding, carrier }: &NamedBinding,
) -> Result<()> {
    if name == RETURN {
        return match (&binding.name, binding.form.direction) {
            (Some(text), Direction::Input) => {
                Err(Error::new(text.span(), "`$return` is an output"))
            }
            _ => Ok(()),
        };
    }
    if carrier.is_some() {
        return Ok(());
    }
    let names: Vec<_> =
        function.parameters.iter().map(|parameter| parameter.ident.to_string()).collect();
    let span = binding.name.as_ref().map_or_else(|| binding.attr.span(), LitStr::span);
    let message = format!("no parameter is named `{name}`{}", name::hint(name, &names));
    Err(Error::new(span, message))
}

fn check_template(
    function: &Function,
    noun: &str,
    text: &LitStr,
    checked: &mut Checked,
) -> Result<()> {
    let kind = function.declaration.kind();
    let arguments = plain_arguments(function);
    for wanted in template::arguments(noun, text, kind)? {
        match template::find(noun, kind, &wanted, &arguments) {
            Match::One(argument) => checked.used_by_bindings.push(argument.ident.clone()),
            Match::None(_) if has_own_schema(function) => {}
            Match::None(message) => match struct_of_arguments(function) {
                // Only the compiler knows what the type is. If it takes all arguments, the host checks at load.
                Some(ty) => checked.constants.push(quote_spanned! { text.span() =>
                    const _: () = ::core::assert!(::mcpfn_sdk::runtime::takes_all::<#ty>(), #message);
                }),
                None => return Err(Error::new(text.span(), message)),
            },
        }
    }
    Ok(())
}

/// The tool's own schema may have more arguments than the function has parameters: the host checks.
fn has_own_schema(function: &Function) -> bool {
    matches!(&function.declaration, Declaration::Tool(tool) if tool.input_schema.is_some())
}

/// The one argument whose type may be a struct of all arguments of a tool.
fn struct_of_arguments(function: &Function) -> Option<&Type> {
    if function.declaration.kind() != Kind::Tool {
        return None;
    }
    let mut unknown = function
        .arguments()
        .map(|argument| &argument.ty)
        .filter(|ty| !type_name(ty).is_some_and(|name| SINGLE.iter().any(|single| name == single)));
    unknown.next().filter(|_| unknown.next().is_none())
}
