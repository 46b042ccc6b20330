//! What comes from and goes to blobs.

use std::{
    cell::{Ref, RefCell},
    rc::Rc,
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Json, wit};

/// A type that a blob input fills.
///
/// `String` takes UTF-8 text, `Vec<u8>` the bytes; [`Json<T>`](Json), [`Value`] and any type that is only
/// `Deserialize` take JSON. A blob that does not exist fails the call, unless the parameter is an `Option`.
#[diagnostic::on_unimplemented(
    message = "a blob cannot fill a parameter of type `{Self}`",
    label = "not a type of blob input",
    note = "take `String`, `Vec<u8>`, any `Deserialize`, or an `Option` of these"
)]
pub trait BlobInput: Sized {
    /// Reads the content; the error says what is wrong with it, such as "is not UTF-8 text".
    fn from_value(value: wit::Value) -> Result<Self, String>;

    /// What a blob that does not exist gives.
    fn missing() -> Result<Self, String> {
        Err(String::from("does not exist"))
    }
}

impl BlobInput for String {
    fn from_value(value: wit::Value) -> Result<Self, String> {
        match value {
            wit::Value::Text(text) | wit::Value::Json(text) => Ok(text),
            wit::Value::Bytes(bytes) => {
                Self::from_utf8(bytes).map_err(|_| Self::from("is not UTF-8 text"))
            }
        }
    }
}

impl BlobInput for Vec<u8> {
    fn from_value(value: wit::Value) -> Result<Self, String> {
        Ok(match value {
            wit::Value::Text(text) | wit::Value::Json(text) => text.into_bytes(),
            wit::Value::Bytes(bytes) => bytes,
        })
    }
}

impl BlobInput for Value {
    fn from_value(value: wit::Value) -> Result<Self, String> {
        deserialized(value)
    }
}

impl<T: DeserializeOwned> BlobInput for Json<T> {
    fn from_value(value: wit::Value) -> Result<Self, String> {
        deserialized(value).map(Self)
    }
}

impl<T: BlobInput> BlobInput for Option<T> {
    fn from_value(value: wit::Value) -> Result<Self, String> {
        T::from_value(value).map(Some)
    }

    fn missing() -> Result<Self, String> {
        Ok(None)
    }
}

pub(crate) fn deserialized<T: DeserializeOwned>(value: wit::Value) -> Result<T, String> {
    let bytes = Vec::from_value(value)?;
    serde_json::from_slice(&bytes).map_err(|error| format!("is not the JSON expected: {error}"))
}

/// A type that a blob output writes.
///
/// `String` and `&'static str` become UTF-8 text, `Vec<u8>` the bytes; [`Json<T>`](Json), [`Value`] and any type that
/// is only `Serialize` become JSON.
#[diagnostic::on_unimplemented(
    message = "a blob output cannot write `{Self}`",
    label = "not a type of blob output",
    note = "write `String`, `Vec<u8>`, or any `Serialize`"
)]
pub trait BlobOutput {
    /// The content; the error says why there is none.
    fn into_value(self) -> Result<wit::Value, String>;
}

impl BlobOutput for String {
    fn into_value(self) -> Result<wit::Value, String> {
        Ok(wit::Value::Text(self))
    }
}

impl BlobOutput for &'static str {
    fn into_value(self) -> Result<wit::Value, String> {
        Ok(wit::Value::Text(self.to_owned()))
    }
}

impl BlobOutput for Vec<u8> {
    fn into_value(self) -> Result<wit::Value, String> {
        Ok(wit::Value::Bytes(self))
    }
}

impl BlobOutput for Value {
    fn into_value(self) -> Result<wit::Value, String> {
        serialized(&self)
    }
}

impl<T: Serialize> BlobOutput for Json<T> {
    fn into_value(self) -> Result<wit::Value, String> {
        serialized(&self.0)
    }
}

pub(crate) fn serialized(value: &impl Serialize) -> Result<wit::Value, String> {
    serde_json::to_string(value)
        .map(wit::Value::Json)
        .map_err(|error| format!("is no JSON: {error}"))
}

/// The value of an output binding: what is set is written once the tool has succeeded, what is not set is not.
///
/// ```
/// use mcpfn_sdk::{Out, blob_output, mcp_tool};
///
/// /// Keeps a note.
/// #[mcp_tool]
/// fn keep(name: String, note: String, #[blob_output(path = "notes/{mcptoolargs.name}")] file: Out<String>) -> String {
///     file.set(note);
///     format!("Kept {name}.")
/// }
///
/// # fn main() {
/// // In a test it is an ordinary value.
/// let file = Out::new();
/// assert_eq!(keep("a".into(), "b".into(), file.clone()), "Kept a.");
/// assert_eq!(file.get().as_deref(), Some("b"));
/// # }
/// ```
#[derive(Debug)]
pub struct Out<T>(Rc<RefCell<Option<T>>>);

impl<T> Out<T> {
    /// An output that is not set.
    pub fn new() -> Self {
        Self(Rc::new(RefCell::new(None)))
    }

    /// Sets the value, in place of one set before.
    pub fn set(&self, value: impl Into<T>) {
        *self.0.borrow_mut() = Some(value.into());
    }

    /// What was set.
    pub fn get(&self) -> Ref<'_, Option<T>> {
        self.0.borrow()
    }

    pub(crate) fn take(&self) -> Option<T> {
        self.0.borrow_mut().take()
    }
}

impl<T> Clone for Out<T> {
    /// Both set the same output.
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> Default for Out<T> {
    fn default() -> Self {
        Self::new()
    }
}
