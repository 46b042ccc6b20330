//! A function taken apart: its declaration, its parameters, its bindings.

use proc_macro2::TokenStream;
use syn::{
    Attribute, Error, FnArg, GenericArgument, Ident, ItemFn, Pat, PatType, PathArguments, Result,
    Type, ext::IdentExt, spanned::Spanned,
};

use crate::{
    argument::{Argument, type_name},
    blob::{Blob, Direction, RETURN},
    completion,
    declaration::Declaration,
    trigger::Kind,
};

/// A function with the attribute of a trigger.
pub(crate) struct Function {
    pub(crate) declaration: Declaration,
    pub(crate) parameters: Vec<Parameter>,
    /// Bindings in declared order: those above the function, then those of its parameters.
    pub(crate) bindings: Vec<NamedBlob>,
    pub(crate) ident: Ident,
}

/// A parameter and what fills it.
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) role: Role,
}

pub(crate) enum Role {
    /// An argument, a struct of arguments, or the context: the type knows.
    Argument(Box<Argument>),
    /// A binding fills it: its name.
    Input(String),
    /// It fills a binding: its name, and the `T` of `Out<T>`.
    Output(String, Box<Type>),
}

/// A binding with the name that it goes by.
pub(crate) struct NamedBlob {
    pub(crate) name: String,
    pub(crate) blob: Blob,
}

impl Function {
    /// Reads the function. The attributes that are ours are still on it.
    pub(crate) fn parse(kind: Kind, tokens: TokenStream, function: &ItemFn) -> Result<Self> {
        check_signature(kind, function)?;
        let ident = function.sig.ident.clone();
        let declaration = Declaration::parse(kind, tokens, &ident, &function.attrs)?;
        let mut bindings = Vec::new();
        for (attr, direction) in blob_attrs(&function.attrs) {
            let blob = blob(kind, attr, direction)?;
            let name = match (&blob.name, direction) {
                (Some(name), _) => name.value(),
                (None, Direction::Output) => RETURN.to_owned(),
                (None, Direction::Input) => {
                    return Err(Error::new_spanned(
                        attr,
                        "above a function `blob_input` says which parameter it fills: `name = \"..\"`",
                    ));
                }
            };
            push(&mut bindings, NamedBlob { name, blob })?;
        }
        let mut parameters = Vec::new();
        for input in &function.sig.inputs {
            parameters.push(parameter(kind, input, &mut bindings)?);
        }
        Ok(Self { declaration, parameters, bindings, ident })
    }

    /// The parameters that are arguments, as far as the macro can tell.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parameters.iter().filter_map(|parameter| match &parameter.role {
            Role::Argument(argument) => Some(&**argument),
            _ => None,
        })
    }
}

fn check_signature(kind: Kind, function: &ItemFn) -> Result<()> {
    let (signature, noun) = (&function.sig, kind.noun());
    if let Some(token) = &signature.asyncness {
        return Err(Error::new(
            token.span(),
            format!("a {noun} is not `async`: its instance has nothing else to do"),
        ));
    }
    if !signature.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &signature.generics,
            format!("a {noun} is not generic: the host calls it with one schema"),
        ));
    }
    if let Some(where_clause) = &signature.generics.where_clause {
        return Err(Error::new_spanned(
            where_clause,
            format!("a {noun} is not generic: the host calls it with one schema"),
        ));
    }
    if let Some(variadic) = &signature.variadic {
        let message = format!("a {noun} has a fixed number of parameters");
        return Err(Error::new_spanned(variadic, message));
    }
    Ok(())
}

/// A prompt and a resource only read.
fn blob(kind: Kind, attr: &Attribute, direction: Direction) -> Result<Blob> {
    if direction == Direction::Output && kind != Kind::Tool {
        let message = format!("a {} writes nothing: `blob_output` is for tools", kind.noun());
        return Err(Error::new_spanned(attr, message));
    }
    Blob::parse(attr, direction)
}

fn parameter(kind: Kind, input: &FnArg, bindings: &mut Vec<NamedBlob>) -> Result<Parameter> {
    let noun = kind.noun();
    let FnArg::Typed(PatType { attrs, pat, ty, .. }) = input else {
        return Err(Error::new_spanned(
            input,
            format!("a {noun} is a plain function, not a method: it has no `self`"),
        ));
    };
    let Pat::Ident(pat) = &**pat else {
        let message = format!("a parameter of a {noun} has a plain name");
        return Err(Error::new_spanned(pat, message));
    };
    let (ident, ty) = (pat.ident.clone(), (**ty).clone());
    let own = blob_attrs(attrs)
        .map(|(attr, direction)| blob(kind, attr, direction))
        .collect::<Result<Vec<_>>>()?;
    if let [_, second, ..] = own.as_slice() {
        return Err(Error::new_spanned(&second.attr, "a parameter has one binding"));
    }
    let own = own.into_iter().next();
    let role = match own {
        Some(blob) => {
            let name =
                blob.name.as_ref().map_or_else(|| ident.unraw().to_string(), syn::LitStr::value);
            if let (RETURN, Some(text)) = (name.as_str(), &blob.name) {
                return Err(Error::new(
                    text.span(),
                    "`$return` is what the function returns: it stands above it",
                ));
            }
            let role = binding_role(&name, blob.direction, &ty)?;
            push(bindings, NamedBlob { name, blob })?;
            role
        }
        None => match bindings.iter().find(|binding| ident.unraw() == binding.name) {
            Some(binding) => binding_role(&binding.name, binding.blob.direction, &ty)?,
            None if out_of(&ty).is_some() => {
                return Err(Error::new_spanned(
                    ty,
                    "`Out` needs a binding: `#[blob_output(path = \"..\")]`",
                ));
            }
            None => {
                check_owned(kind, &ty)?;
                let keys = kind.argument_keys();
                Role::Argument(Box::new(Argument::parse(&ident, &ty, attrs, None, keys)?))
            }
        },
    };
    if !matches!(role, Role::Argument(_))
        && let Some(attr) =
            attrs.iter().find(|attr| attr.path().is_ident("arg") || completion::is(attr))
    {
        return Err(Error::new_spanned(attr, "a binding is no argument"));
    }
    if kind == Kind::Tool
        && let Some(attr) = attrs.iter().find(|attr| completion::is(attr))
    {
        let message = "clients complete the arguments of prompts and resources, not those of tools";
        return Err(Error::new_spanned(attr, message));
    }
    Ok(Parameter { ident, ty, role })
}

fn binding_role(name: &str, direction: Direction, ty: &Type) -> Result<Role> {
    match (direction, out_of(ty)) {
        (Direction::Input, None) => Ok(Role::Input(name.to_owned())),
        (Direction::Input, Some(_)) => Err(Error::new_spanned(ty, "`Out` is for `blob_output`")),
        (Direction::Output, Some(inner)) => {
            Ok(Role::Output(name.to_owned(), Box::new(inner.clone())))
        }
        (Direction::Output, None) => {
            Err(Error::new_spanned(ty, "a parameter for an output is an `Out`: `Out<String>`"))
        }
    }
}

fn push(bindings: &mut Vec<NamedBlob>, binding: NamedBlob) -> Result<()> {
    if bindings.iter().any(|earlier| earlier.name == binding.name) {
        let message = format!("two bindings are named `{}`", binding.name);
        return Err(match &binding.blob.name {
            Some(name) => Error::new(name.span(), message),
            None => Error::new_spanned(&binding.blob.attr, message),
        });
    }
    bindings.push(binding);
    Ok(())
}

fn check_owned(kind: Kind, ty: &Type) -> Result<()> {
    match ty {
        Type::Reference(reference) => {
            let message = match type_name(&reference.elem) {
                Some(name) if name != "str" => {
                    format!("parameters are owned: take `{name}` rather than `&{name}`")
                }
                _ => "arguments are owned: take `String` rather than `&str`".to_owned(),
            };
            Err(Error::new_spanned(ty, message))
        }
        Type::ImplTrait(_) => {
            let message = format!("a parameter of a {} has a type, not a trait", kind.noun());
            Err(Error::new_spanned(ty, message))
        }
        _ => Ok(()),
    }
}

/// The `T` of an `Out<T>`.
fn out_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    if type_name(ty)? != "Out" {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

/// The attributes that declare a blob.
pub(crate) fn blob_attrs(attrs: &[Attribute]) -> impl Iterator<Item = (&Attribute, Direction)> {
    attrs.iter().filter_map(|attr| Some((attr, Direction::of(attr)?)))
}
