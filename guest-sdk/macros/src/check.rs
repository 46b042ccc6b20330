//! What must hold between the parts of a tool: every binding has its parameter, every path its arguments.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Error, Ident, LitStr, Result, Type, spanned::Spanned};

use crate::{
    argument::{self, Argument, type_name},
    blob::{Direction, RETURN},
    name,
    template::{self, Match},
    tool::{NamedBlob, Role, Tool},
};

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
];

/// What the checks found out.
pub(crate) struct Checked {
    /// Arguments that a path names: the function need not use them.
    pub(crate) used_by_paths: Vec<Ident>,
    /// Constants that check what only the types know.
    pub(crate) constants: Vec<TokenStream>,
}

/// Checks a tool.
pub(crate) fn check(tool: &Tool) -> Result<Checked> {
    argument::check_unique(tool.arguments())?;
    for binding in &tool.bindings {
        check_binding(tool, binding)?;
    }
    let mut checked = Checked { used_by_paths: Vec::new(), constants: Vec::new() };
    for binding in &tool.bindings {
        check_path(tool, &binding.blob.path, &mut checked)?;
    }
    Ok(checked)
}

fn check_binding(tool: &Tool, NamedBlob { name, blob }: &NamedBlob) -> Result<()> {
    if name == RETURN {
        return match (&blob.name, blob.direction) {
            (Some(text), Direction::Input) => {
                Err(Error::new(text.span(), "`$return` is an output"))
            }
            _ => Ok(()),
        };
    }
    let filled = tool.parameters.iter().any(|parameter| match &parameter.role {
        Role::Input(binding) | Role::Output(binding, _) => binding == name,
        Role::Argument(_) => false,
    });
    if filled {
        return Ok(());
    }
    let names: Vec<_> =
        tool.parameters.iter().map(|parameter| parameter.ident.to_string()).collect();
    let span = blob.name.as_ref().map_or_else(|| blob.attr.span(), LitStr::span);
    let message = format!("no parameter is named `{name}`{}", name::hint(name, &names));
    Err(Error::new(span, message))
}

fn check_path(tool: &Tool, path: &LitStr, checked: &mut Checked) -> Result<()> {
    let is_context =
        |argument: &&Argument| type_name(&argument.ty).is_some_and(|name| name == "ToolContext");
    let arguments: Vec<_> = tool.arguments().filter(|argument| !is_context(argument)).collect();
    for wanted in template::arguments(path)? {
        match template::find(&wanted, &arguments) {
            Match::One(argument) => checked.used_by_paths.push(argument.ident.clone()),
            // The tool's own schema may have more arguments than the function has parameters: the host checks.
            Match::None(_) if tool.declaration.input_schema.is_some() => {}
            Match::None(message) => match struct_of_arguments(tool) {
                // Only the compiler knows what the type is. If it takes all arguments, the host checks at load.
                Some(ty) => checked.constants.push(quote_spanned! { path.span() =>
                    const _: () = ::core::assert!(::mcpfn_sdk::runtime::takes_all::<#ty>(), #message);
                }),
                None => return Err(Error::new(path.span(), message)),
            },
        }
    }
    Ok(())
}

/// The one argument whose type may be a struct of all arguments.
fn struct_of_arguments(tool: &Tool) -> Option<&Type> {
    let mut unknown = tool
        .arguments()
        .map(|argument| &argument.ty)
        .filter(|ty| !type_name(ty).is_some_and(|name| SINGLE.iter().any(|single| name == single)));
    unknown.next().filter(|_| unknown.next().is_none())
}
