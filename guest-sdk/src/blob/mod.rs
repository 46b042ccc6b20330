//! What comes from and goes to blobs: which types may, and how the host hands each over.

mod container;
mod entry;
mod error;
mod form;
mod memory;
mod out;
mod reader;
mod time;
mod writer;

pub use container::{Blobs, Container};
pub use entry::{BlobDetails, BlobEntry, BlobList};
pub use error::ContainerError;
pub use form::{
    AnyForm, BlobForm, InputForm, OutputForm, assert_content, assert_list, assert_whole,
};
pub use out::{Delete, Out};
pub use reader::BlobReader;
pub use writer::BlobWriter;

use std::io;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Json, wit};

/// A type that a blob input fills.
///
/// `String` takes UTF-8 text, `Vec<u8>` the bytes; [`Json<T>`](Json), [`Value`] and any type that is only
/// `Deserialize` take JSON. [`BlobReader`] reads in pieces what is too large to hold, and [`BlobList`] is which blobs
/// there are. A blob that does not exist fails the call, unless the parameter is an `Option`.
#[diagnostic::on_unimplemented(
    message = "a blob cannot fill a parameter of type `{Self}`",
    label = "not a type of blob input",
    note = "take `String`, `Vec<u8>`, any `Deserialize`, `BlobReader`, `BlobList`, or an `Option` of these"
)]
pub trait BlobInput: Sized {
    /// How the host hands it over.
    const FORM: BlobForm = BlobForm::Whole;

    /// Reads the content; the error says what is wrong with it, such as "is not UTF-8 text".
    fn from_value(value: wit::Value) -> Result<Self, String>;

    /// What a blob that does not exist gives.
    fn missing() -> Result<Self, String> {
        Err(String::from("does not exist"))
    }

    /// Takes the content in pieces, where [`FORM`](Self::FORM) is [`BlobForm::Stream`].
    fn from_reader(mut reader: BlobReader) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let read = io::Read::read_to_end(&mut reader, &mut bytes);
        read.map_err(|error| format!("was not read: {error}"))?;
        Self::from_value(wit::Value::Bytes(bytes))
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
    const FORM: BlobForm = BlobForm::Binary;

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
    const FORM: BlobForm = T::FORM;

    fn from_value(value: wit::Value) -> Result<Self, String> {
        T::from_value(value).map(Some)
    }

    fn missing() -> Result<Self, String> {
        Ok(None)
    }

    fn from_reader(reader: BlobReader) -> Result<Self, String> {
        T::from_reader(reader).map(Some)
    }
}

pub(crate) fn deserialized<T: DeserializeOwned>(value: wit::Value) -> Result<T, String> {
    let bytes = Vec::from_value(value)?;
    serde_json::from_slice(&bytes).map_err(|error| format!("is not the JSON expected: {error}"))
}

/// A type that a blob output writes.
///
/// `String` and `&'static str` become UTF-8 text, `Vec<u8>` the bytes; [`Json<T>`](Json), [`Value`] and any type that
/// is only `Serialize` become JSON. [`Delete`] is no blob: the one that is there goes.
#[diagnostic::on_unimplemented(
    message = "a blob output cannot write `{Self}`",
    label = "not a type of blob output",
    note = "write `String`, `Vec<u8>`, any `Serialize`, or `Delete`; in pieces, take a `BlobWriter`"
)]
pub trait BlobOutput {
    /// What the host does with it.
    const FORM: BlobForm = BlobForm::Whole;

    /// The content; the error says why there is none.
    fn into_value(self) -> Result<wit::Value, String>;
}

impl BlobOutput for String {
    const FORM: BlobForm = BlobForm::Text;

    fn into_value(self) -> Result<wit::Value, String> {
        Ok(wit::Value::Text(self))
    }
}

impl BlobOutput for &'static str {
    const FORM: BlobForm = BlobForm::Text;

    fn into_value(self) -> Result<wit::Value, String> {
        Ok(wit::Value::Text(self.to_owned()))
    }
}

impl BlobOutput for Vec<u8> {
    const FORM: BlobForm = BlobForm::Bytes;

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
