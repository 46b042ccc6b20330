//! What a tool may return, and what the client gets for it.

use std::fmt::Display;

use serde::Serialize;
use serde_json::Value;

use crate::{Content, Json, Reply, Stop, failure::failure, stop::Refusal, wit};

/// A type that a tool may return.
///
/// | returned | the client gets |
/// | --- | --- |
/// | `()` | no content |
/// | `String`, `&'static str`, numbers, `bool`, `char` | one text |
/// | `Vec<u8>` | the bytes, as the host presents them |
/// | [`Content`], `Vec<Content>`, [`Reply`] | those blocks |
/// | a struct with [`derive(ToolOutput)`](derive@crate::ToolOutput) | structured content, and the tool publishes its schema |
/// | any other `Serialize`, [`Json<T>`](Json), [`Value`] | structured content |
/// | `Some(T)` | what `T` gives, without a published schema |
/// | `None` | no content |
/// | `Ok(T)` | what `T` gives |
/// | `Err(E)`, `E: Display` | a tool error with exactly that message |
/// | `Err(`[`Stop`]`)` | the questions of [`Ask`](crate::Ask), or a tool error |
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "not a type of result",
    note = "return `()`, a text, a number, `Vec<u8>`, `Content`, `Reply`, any `Serialize`, or a `Result` of these"
)]
pub trait Return {
    /// What the invocation came to.
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure>;

    /// The schema of the structured content, if the type knows it.
    fn output_schema() -> Option<String> {
        None
    }
}

impl Return for () {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Nothing)
    }
}

macro_rules! texts {
    ($($text:ty)*) => { $(
        impl Return for $text {
            fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
                Ok(wit::Outcome::Text(self.to_string()))
            }
        }
    )* };
}

texts! { &'static str i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool char }

impl Return for String {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Text(self))
    }
}

impl Return for Vec<u8> {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Bytes(self))
    }
}

impl Return for Content {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        vec![self].into_outcome()
    }
}

impl Return for Vec<Content> {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        Reply::from(self).into_outcome()
    }
}

impl Return for Reply {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        self.into_wit().map(wit::Outcome::Reply)
    }
}

impl Return for Value {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        Json(self).into_outcome()
    }
}

impl<T: Serialize> Return for Json<T> {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        serialized(&self.0)
    }
}

impl<T: Return> Return for Option<T> {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or(Ok(wit::Outcome::Nothing), T::into_outcome)
    }

    // No schema: where one is published, MCP demands structured content of every result, and
    // `None` has no content.
}

impl<T: Return, E: Display> Return for Result<T, E> {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or_else(Refusal::into_outcome, T::into_outcome)
    }

    fn output_schema() -> Option<String> {
        T::output_schema()
    }
}

impl<T: Return> Return for Result<T, Stop> {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or_else(Refusal::into_outcome, T::into_outcome)
    }

    fn output_schema() -> Option<String> {
        T::output_schema()
    }
}

pub(crate) fn serialized(value: &impl Serialize) -> Result<wit::Outcome, wit::Failure> {
    match serde_json::to_string(value) {
        // What serde writes for `None`: nothing was found, and there is nothing to say.
        Ok(json) if json == "null" => Ok(wit::Outcome::Nothing),
        Ok(json) => Ok(wit::Outcome::Value(json)),
        Err(error) => Err(failure(&format!("the result is no JSON: {error}"))),
    }
}
