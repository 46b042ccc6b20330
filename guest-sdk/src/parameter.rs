//! The parameters of a tool, and what they are filled from.

use crate::{
    Argument, ArgumentError, Arguments, Ask, Property, ToolContext, call::Call, failure::failure,
    schema, wit,
};

/// What an attribute and a doc comment say about one argument; written by the macros.
#[derive(Debug)]
pub struct ArgumentSpec {
    /// The name in JSON.
    pub name: &'static str,
    /// The name shown to people.
    pub title: Option<&'static str>,
    /// The doc comment.
    pub description: &'static str,
    /// Keywords of JSON Schema and their values.
    pub keywords: &'static [(&'static str, &'static str)],
    /// What a missing argument is, as JSON text.
    pub default: Option<&'static str>,
    /// Whether a function suggests values for it.
    pub completes: bool,
}

impl ArgumentSpec {
    /// The declaration of the argument.
    pub fn property<T: Argument>(&self) -> Property {
        let mut schema = T::schema();
        if let Some(title) = self.title {
            schema = schema.keyword("title", schema::quoted(title));
        }
        for (name, value) in self.keywords {
            schema = schema.keyword(name, *value);
        }
        if let Some(default) = self.default {
            schema = schema.keyword("default", default);
        }
        Property {
            name: self.name.to_owned(),
            description: Some(self.description.to_owned()),
            required: T::REQUIRED && self.default.is_none(),
            schema,
        }
    }

    /// The value of the argument.
    pub fn take<T: Argument>(&self, arguments: &Arguments<'_>) -> Result<T, ArgumentError> {
        match arguments.get(self.name).or(self.default) {
            Some(json) => T::from_json(json),
            None => T::missing(),
        }
        .map_err(|error| error.at(self.name))
    }
}

/// What a parameter of a tool stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// One argument.
    Argument,
    /// All arguments.
    Arguments,
    /// Who calls, and how; or whom to ask.
    Context,
}

/// A type that may be a parameter of a tool. A blanket over [`Argument`], so that the macro need not guess from the
/// name of a type what it is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "not a type of parameter",
    note = "derive `Argument` for a type of one argument, `ToolArguments` for a struct of all of them"
)]
pub trait Parameter: Sized {
    /// What the parameter stands for.
    const KIND: ParameterKind;

    /// The arguments that it takes.
    fn properties(spec: &ArgumentSpec) -> Vec<Property>;

    /// Reads it.
    fn take(call: &Call<'_>, spec: &ArgumentSpec) -> Result<Self, ArgumentError>;
}

impl<T: Argument> Parameter for T {
    const KIND: ParameterKind = ParameterKind::Argument;

    fn properties(spec: &ArgumentSpec) -> Vec<Property> {
        vec![spec.property::<T>()]
    }

    fn take(call: &Call<'_>, spec: &ArgumentSpec) -> Result<Self, ArgumentError> {
        spec.take(call.arguments())
    }
}

impl Parameter for ToolContext {
    const KIND: ParameterKind = ParameterKind::Context;

    fn properties(_: &ArgumentSpec) -> Vec<Property> {
        Vec::new()
    }

    fn take(call: &Call<'_>, _: &ArgumentSpec) -> Result<Self, ArgumentError> {
        Ok(call.context())
    }
}

impl Parameter for Ask {
    const KIND: ParameterKind = ParameterKind::Context;

    fn properties(_: &ArgumentSpec) -> Vec<Property> {
        Vec::new()
    }

    fn take(call: &Call<'_>, _: &ArgumentSpec) -> Result<Self, ArgumentError> {
        Ok(call.ask())
    }
}

impl Call<'_> {
    /// One parameter.
    pub fn parameter<T: Parameter>(&self, spec: &ArgumentSpec) -> Result<T, wit::Failure> {
        T::take(self, spec).map_err(|error| failure(&error))
    }
}
