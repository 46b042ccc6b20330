//! What may be one argument of a tool.

use std::{
    collections::{BTreeMap, HashMap},
    fmt,
    hash::BuildHasher,
};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, value::RawValue};

use crate::{Json, Schema};

/// A type that may be one argument of a tool, or a field of one.
///
/// Implemented for texts, numbers, `bool`, `Vec<T>`, `Option<T>` (an argument that may be left out), maps with text
/// keys, and JSON values. [`derive(Argument)`](derive@crate::Argument) implements it for a struct with named fields
/// and for an enum whose variants carry nothing.
///
/// By hand:
/// ```
/// use mcpfn_sdk::{Argument, ArgumentError, Schema};
///
/// struct Celsius(f64);
///
/// impl Argument for Celsius {
///     fn schema() -> Schema {
///         Schema::number().keyword("minimum", "-273.15")
///     }
///     fn from_json(json: &str) -> Result<Self, ArgumentError> {
///         f64::from_json(json).map(Self)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    label = "not a type of argument",
    note = "take `String`, a number, `bool`, `Vec<T>`, `Option<T>`, or a type with `#[derive(Argument)]`; a struct \
            with `#[derive(ToolArguments)]` takes all arguments at once"
)]
pub trait Argument: Sized {
    /// Whether a call without it is refused.
    const REQUIRED: bool = true;

    /// What the host checks before the function runs.
    fn schema() -> Schema;

    /// Reads the value from JSON text. The host has checked the schema; what a schema cannot say is checked here.
    fn from_json(json: &str) -> Result<Self, ArgumentError>;

    /// The value of an argument that is missing or null.
    fn missing() -> Result<Self, ArgumentError> {
        Err(ArgumentError::new("is missing"))
    }
}

/// Why an argument cannot be used: where, and what was expected.
///
/// ```
/// use mcpfn_sdk::{Argument, ArgumentError};
///
/// let error = Vec::<u8>::from_json("[1, 300]").unwrap_err();
/// assert_eq!(error.to_string(), "/1: expected an integer from 0 to 255, got 300");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    path: String,
    message: String,
}

impl ArgumentError {
    /// An error at the value itself.
    pub fn new(message: impl Into<String>) -> Self {
        Self { path: String::new(), message: message.into() }
    }

    /// The same error, seen from the object or array that has the value at `key`.
    #[must_use]
    pub fn at(mut self, key: &str) -> Self {
        // RFC 6901: these two are escaped in a JSON pointer.
        self.path.insert_str(0, &format!("/{}", key.replace('~', "~0").replace('/', "~1")));
        self
    }

    /// The value has another type than `expected`.
    pub fn expected(expected: &str, json: &str) -> Self {
        Self::new(format!("expected {expected}, got {}", kind_of(json)))
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for ArgumentError {}

fn kind_of(json: &str) -> &'static str {
    match json.trim_start().as_bytes().first() {
        Some(b'"') => "string",
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ => "number",
    }
}

impl Argument for String {
    fn schema() -> Schema {
        Schema::string()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        serde_json::from_str(json).map_err(|_| ArgumentError::expected("string", json))
    }
}

impl Argument for char {
    fn schema() -> Schema {
        Schema::string()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        serde_json::from_str(json).map_err(|_| ArgumentError::new("expected one character"))
    }
}

impl Argument for bool {
    fn schema() -> Schema {
        Schema::boolean()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        json.parse().map_err(|_| ArgumentError::expected("boolean", json))
    }
}

macro_rules! integers {
    ($($integer:ty)*) => { $(
        impl Argument for $integer {
            fn schema() -> Schema {
                Schema::integer()
            }

            fn from_json(json: &str) -> Result<Self, ArgumentError> {
                whole_number(json)?.try_into().map_err(|_| {
                    let (min, max) = (Self::MIN, Self::MAX);
                    ArgumentError::new(format!("expected an integer from {min} to {max}, got {json}"))
                })
            }
        }
    )* };
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

/// JSON Schema calls `3.0` and `3e2` integers too.
fn whole_number(json: &str) -> Result<i128, ArgumentError> {
    let wrong = || ArgumentError::expected("integer", json);
    if let Ok(integer) = json.parse() {
        return Ok(integer);
    }
    let number: f64 = json.parse().map_err(|_| wrong())?;
    #[expect(clippy::cast_possible_truncation, reason = "it has no fraction, and a cast saturates")]
    if number.fract() == 0.0 { Ok(number as i128) } else { Err(wrong()) }
}

macro_rules! floats {
    ($($float:ty)*) => { $(
        impl Argument for $float {
            fn schema() -> Schema {
                Schema::number()
            }

            fn from_json(json: &str) -> Result<Self, ArgumentError> {
                serde_json::from_str(json).map_err(|_| ArgumentError::expected("number", json))
            }
        }
    )* };
}

floats! { f32 f64 }

impl<T: Argument> Argument for Option<T> {
    const REQUIRED: bool = false;

    fn schema() -> Schema {
        T::schema()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        if json == "null" { Ok(None) } else { T::from_json(json).map(Some) }
    }

    fn missing() -> Result<Self, ArgumentError> {
        Ok(None)
    }
}

impl<T: Argument> Argument for Vec<T> {
    fn schema() -> Schema {
        Schema::array(T::schema())
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        let items: Vec<&RawValue> =
            serde_json::from_str(json).map_err(|_| ArgumentError::expected("array", json))?;
        let items = items.into_iter().enumerate();
        items
            .map(|(idx, item)| T::from_json(item.get()).map_err(|e| e.at(&idx.to_string())))
            .collect()
    }
}

macro_rules! maps {
    ($($map:ident $($hasher:ident)?;)*) => { $(
        impl<T: Argument $(, $hasher: Default + BuildHasher)?> Argument for $map<String, T $(, $hasher)?> {
            fn schema() -> Schema {
                Schema::map(T::schema())
            }

            fn from_json(json: &str) -> Result<Self, ArgumentError> {
                let entries: BTreeMap<String, &RawValue> =
                    serde_json::from_str(json).map_err(|_| ArgumentError::expected("object", json))?;
                let read = |(key, value): (String, &RawValue)| match T::from_json(value.get()) {
                    Ok(value) => Ok((key, value)),
                    Err(error) => Err(error.at(&key)),
                };
                entries.into_iter().map(read).collect()
            }
        }
    )* };
}

maps! { BTreeMap; HashMap S; }

impl Argument for Value {
    fn schema() -> Schema {
        Schema::opaque_object()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        serde_json::from_str(json).map_err(|e| ArgumentError::new(e.to_string()))
    }
}

impl Argument for Map<String, Value> {
    fn schema() -> Schema {
        Schema::opaque_object()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        serde_json::from_str(json).map_err(|_| ArgumentError::expected("object", json))
    }
}

/// Whatever serde reads from an object.
impl<T: DeserializeOwned> Argument for Json<T> {
    fn schema() -> Schema {
        Schema::opaque_object()
    }

    fn from_json(json: &str) -> Result<Self, ArgumentError> {
        serde_json::from_str(json).map(Self).map_err(|e| ArgumentError::new(e.to_string()))
    }
}
