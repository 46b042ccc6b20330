//! Arguments that come as texts: those of a prompt, and the variables of a resource's URI.

use crate::{Argument, ArgumentError, schema};

/// A type that an argument of a prompt, or a variable of a resource's URI, may have. These come as texts.
///
/// Implemented for `String`, `char`, numbers, `bool`, `Option` of these, and enums of texts with
/// [`derive(Argument)`](derive@crate::Argument).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a text",
    label = "not a type of argument of a prompt or a resource",
    note = "take `String`, a number, `bool`, an enum with `#[derive(Argument)]`, or an `Option` of these"
)]
pub trait TextArgument: Argument {
    /// Reads the value from the text.
    fn from_text(text: &str) -> Result<Self, ArgumentError>;
}

impl TextArgument for String {
    fn from_text(text: &str) -> Result<Self, ArgumentError> {
        Ok(text.to_owned())
    }
}

impl TextArgument for char {
    fn from_text(text: &str) -> Result<Self, ArgumentError> {
        from_quoted(text)
    }
}

impl TextArgument for bool {
    fn from_text(text: &str) -> Result<Self, ArgumentError> {
        text.parse().map_err(|_| expected("`true` or `false`", text))
    }
}

macro_rules! numbers {
    ($($expected:literal: $($number:ty)*;)*) => { $( $(
        impl TextArgument for $number {
            fn from_text(text: &str) -> Result<Self, ArgumentError> {
                Self::from_json(text.trim()).map_err(|_| expected($expected, text))
            }
        }
    )* )* };
}

numbers! {
    "an integer from -128 to 127": i8;
    "an integer from 0 to 255": u8;
    "an integer of 16 bits": i16 u16;
    "an integer of 32 bits": i32 u32;
    "an integer": i64 isize u64 usize;
    "a number": f32 f64;
}

impl<T: TextArgument> TextArgument for Option<T> {
    fn from_text(text: &str) -> Result<Self, ArgumentError> {
        T::from_text(text).map(Some)
    }
}

/// Reads a type whose JSON is a text; for the derive.
pub fn from_quoted<T: Argument>(text: &str) -> Result<T, ArgumentError> {
    T::from_json(&schema::quoted(text))
}

fn expected(what: &str, text: &str) -> ArgumentError {
    ArgumentError::new(format!("expected {what}, got `{text}`"))
}
