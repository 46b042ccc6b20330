//! The parameters of a prompt or a resource, and what they are filled from.

use crate::{
    ArgumentError, Ask, TextArgument, ToolContext, call::Call, failure::failure,
    parameter::ArgumentSpec, wit,
};

/// A type that may be a parameter of a prompt or a resource. A blanket over [`TextArgument`], so that the macro need not
/// guess from the name of a type what it is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a prompt or a resource",
    label = "not a type of parameter",
    note = "take `String`, a number, `bool`, an enum with `#[derive(Argument)]`, or an `Option` of these"
)]
pub trait TextParameter: Sized {
    /// The argument that it takes, if it takes one.
    fn prompt_argument(spec: &ArgumentSpec) -> Option<wit::PromptArgument>;

    /// Reads it.
    fn take(call: &Call<'_>, spec: &ArgumentSpec) -> Result<Self, ArgumentError>;
}

impl<T: TextArgument> TextParameter for T {
    fn prompt_argument(spec: &ArgumentSpec) -> Option<wit::PromptArgument> {
        Some(wit::PromptArgument {
            name: spec.name.to_owned(),
            title: spec.title.map(ToOwned::to_owned),
            description: Some(spec.description.to_owned()).filter(|text| !text.is_empty()),
            required: T::REQUIRED && spec.default.is_none(),
            completes: spec.completes,
        })
    }

    fn take(call: &Call<'_>, spec: &ArgumentSpec) -> Result<Self, ArgumentError> {
        match (call.arguments().get(spec.name), spec.default) {
            (Some(json), _) => match serde_json::from_str::<String>(json) {
                Ok(text) => T::from_text(&text),
                Err(_) => T::from_json(json),
            },
            (None, Some(default)) => T::from_json(default),
            (None, None) => T::missing(),
        }
        .map_err(|error| error.at(spec.name))
    }
}

impl TextParameter for ToolContext {
    fn prompt_argument(_: &ArgumentSpec) -> Option<wit::PromptArgument> {
        None
    }

    fn take(call: &Call<'_>, _: &ArgumentSpec) -> Result<Self, ArgumentError> {
        Ok(call.context())
    }
}

impl TextParameter for Ask {
    fn prompt_argument(_: &ArgumentSpec) -> Option<wit::PromptArgument> {
        None
    }

    fn take(call: &Call<'_>, _: &ArgumentSpec) -> Result<Self, ArgumentError> {
        Ok(call.ask())
    }
}

impl Call<'_> {
    /// One parameter that comes as text.
    pub fn text_parameter<T: TextParameter>(&self, spec: &ArgumentSpec) -> Result<T, wit::Failure> {
        T::take(self, spec).map_err(|error| failure(&error))
    }
}
