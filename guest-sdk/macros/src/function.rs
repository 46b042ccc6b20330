//! A function taken apart: its declaration, its parameters, its bindings.

use proc_macro2::TokenStream;
use syn::{
    Attribute, Error, FnArg, GenericArgument, Ident, ItemFn, Pat, PatType, PathArguments, Result,
    Type, ext::IdentExt, spanned::Spanned,
};

use crate::{
    argument::{Argument, type_name},
    binding::{Binding, Carrier, Direction, Form, RETURN},
    completion, container,
    container::Container,
    declaration::Declaration,
    trigger::Kind,
};

/// A function with the attribute of a trigger.
pub(crate) struct Function {
    pub(crate) declaration: Declaration,
    pub(crate) parameters: Vec<Parameter>,
    /// Bindings in declared order: those above the function, then those of its parameters.
    pub(crate) bindings: Vec<NamedBinding>,
    pub(crate) containers: Vec<Container>,
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
    /// A binding fills it: what messages call it, and its name.
    Input(&'static str, String),
    /// It fills a binding: its name, and the `T` of `Out<T>`.
    Output(String, Box<Type>),
    /// It fills a binding in pieces: its name.
    Writer(String),
    /// A container of this name.
    Container(String),
}

/// A binding with the name that it goes by.
pub(crate) struct NamedBinding {
    pub(crate) name: String,
    pub(crate) binding: Binding,
    /// The parameter of its name; what the function returns has none.
    pub(crate) carrier: Option<Carrier>,
}

impl Function {
    /// Reads the function. The attributes that are ours are still on it.
    pub(crate) fn parse(kind: Kind, tokens: TokenStream, function: &ItemFn) -> Result<Self> {
        check_signature(kind, function)?;
        let ident = function.sig.ident.clone();
        let declaration = Declaration::parse(kind, tokens, &ident, &function.attrs)?;
        let mut bindings = Vec::new();
        if let Some(attr) = function.attrs.iter().find(|attr| container::is(attr)) {
            let message = "`blob_container` stands on a parameter: `notes: Container`";
            return Err(Error::new_spanned(attr, message));
        }
        for (attr, form) in binding_attrs(&function.attrs) {
            let binding = binding(kind, attr, form)?;
            let name = match (&binding.name, form.direction) {
                (Some(name), _) => name.value(),
                (None, Direction::Output) => RETURN.to_owned(),
                (None, Direction::Input) => {
                    let word = form.word;
                    return Err(Error::new_spanned(
                        attr,
                        format!(
                            "above a function `{word}` says which parameter it fills: `name = \"..\"`"
                        ),
                    ));
                }
            };
            push(&mut bindings, NamedBinding { name, binding, carrier: None })?;
        }
        let (mut parameters, mut containers) = (Vec::new(), Vec::new());
        for input in &function.sig.inputs {
            parameters.push(parameter(kind, input, &mut bindings, &mut containers)?);
        }
        Ok(Self { declaration, parameters, bindings, containers, ident })
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
fn binding(kind: Kind, attr: &Attribute, form: &'static Form) -> Result<Binding> {
    if form.direction == Direction::Output && kind != Kind::Tool {
        let message = format!("a {} writes nothing: `{}` is for tools", kind.noun(), form.word);
        return Err(Error::new_spanned(attr, message));
    }
    Binding::parse(attr, form)
}

fn parameter(
    kind: Kind,
    input: &FnArg,
    bindings: &mut Vec<NamedBinding>,
    containers: &mut Vec<Container>,
) -> Result<Parameter> {
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
    let own = binding_attrs(attrs)
        .map(|(attr, form)| binding(kind, attr, form))
        .collect::<Result<Vec<_>>>()?;
    if let [_, second, ..] = own.as_slice() {
        return Err(Error::new_spanned(&second.attr, "a parameter has one binding"));
    }
    let is_own = !own.is_empty();
    for binding in own {
        let name =
            binding.name.as_ref().map_or_else(|| ident.unraw().to_string(), syn::LitStr::value);
        if let (RETURN, Some(text)) = (name.as_str(), &binding.name) {
            return Err(Error::new(
                text.span(),
                "`$return` is what the function returns: it stands above it",
            ));
        }
        push(bindings, NamedBinding { name, binding, carrier: None })?;
    }
    // A binding above the function goes by the parameter's name.
    let bound = if is_own {
        bindings.last_mut()
    } else {
        bindings.iter_mut().find(|binding| ident.unraw() == binding.name)
    };
    let role = match (bound, container::of(attrs, &ty)?) {
        (Some(_), Some(container)) => {
            return Err(Error::new(
                container.name.span(),
                "a parameter with a binding is no container",
            ));
        }
        (Some(binding), None) => {
            let (role, carrier) = carried(binding, &ty)?;
            binding.carrier = Some(carrier);
            role
        }
        (None, Some(container)) => {
            let name = container.name.value();
            if containers.iter().any(|earlier| earlier.name.value() == name) {
                let message = format!("two parameters are the container `{name}`");
                return Err(Error::new(container.name.span(), message));
            }
            containers.push(container);
            Role::Container(name)
        }
        (None, None) => {
            if let Some(how) = needs_attribute(&ty) {
                let name = type_name(&ty).map(ToString::to_string).unwrap_or_default();
                return Err(Error::new_spanned(ty, format!("`{name}` needs {how}")));
            }
            check_owned(kind, &ty)?;
            let keys = kind.argument_keys();
            Role::Argument(Box::new(Argument::parse(&ident, &ty, attrs, None, keys)?))
        }
    };
    if !matches!(role, Role::Argument(_))
        && let Some(attr) =
            attrs.iter().find(|attr| attr.path().is_ident("arg") || completion::is(attr))
    {
        let message = match role {
            Role::Container(_) => "a container is no argument",
            _ => "a binding is no argument",
        };
        return Err(Error::new_spanned(attr, message));
    }
    if kind == Kind::Tool
        && let Some(attr) = attrs.iter().find(|attr| completion::is(attr))
    {
        let message = "clients complete the arguments of prompts and resources, not those of tools";
        return Err(Error::new_spanned(attr, message));
    }
    Ok(Parameter { ident, ty, role })
}

/// What a parameter is to its binding.
fn carried(binding: &NamedBinding, ty: &Type) -> Result<(Role, Carrier)> {
    let name = binding.name.clone();
    let form = binding.binding.form;
    let is_writer =
        type_name(ty).is_some_and(|own| form.writer.is_some_and(|writer| own == writer));
    match (form.direction, out_of(ty)) {
        (Direction::Input, None) => Ok((Role::Input(form.noun, name), Carrier::Input(ty.clone()))),
        (Direction::Input, Some(_)) => Err(Error::new_spanned(ty, "`Out` is for `blob_output`")),
        (Direction::Output, Some(inner)) => {
            Ok((Role::Output(name, Box::new(inner.clone())), Carrier::Out(inner.clone())))
        }
        (Direction::Output, None) if is_writer => Ok((Role::Writer(name), Carrier::Writer)),
        (Direction::Output, None) => {
            let or = form.writer.map(|writer| format!(", or a `{writer}`")).unwrap_or_default();
            let message = format!("a parameter for an output is an `Out`: `Out<String>`{or}");
            Err(Error::new_spanned(ty, message))
        }
    }
}

/// What a parameter of a type that is no argument lacks.
fn needs_attribute(ty: &Type) -> Option<&'static str> {
    let output = "a binding: `#[blob_output(path = \"..\")]`";
    let input = "a binding: `#[blob_input(path = \"..\")]`";
    match type_name(ty)?.to_string().as_str() {
        "Out" => out_of(ty).map(|_| output),
        "BlobWriter" => Some(output),
        "BlobReader" | "BlobList" => Some(input),
        "Container" => Some("a name: `#[blob_container(\"..\")]`"),
        _ => None,
    }
}

fn push(bindings: &mut Vec<NamedBinding>, binding: NamedBinding) -> Result<()> {
    if bindings.iter().any(|earlier| earlier.name == binding.name) {
        let message = format!("two bindings are named `{}`", binding.name);
        return Err(match &binding.binding.name {
            Some(name) => Error::new(name.span(), message),
            None => Error::new_spanned(&binding.binding.attr, message),
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

/// The attributes that declare a binding.
pub(crate) fn binding_attrs(
    attrs: &[Attribute],
) -> impl Iterator<Item = (&Attribute, &'static Form)> {
    attrs.iter().filter_map(|attr| Some((attr, Form::of(attr)?)))
}
