//! How the host hands a blob over, which follows from the type that takes or gives it.

use std::marker::PhantomData;

use super::{BlobInput, BlobOutput};

/// How the host hands a blob over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlobForm {
    /// Whole: as text where it is UTF-8, else as bytes. An output is JSON.
    Whole,
    /// Whole, as an output that is text.
    Text,
    /// Whole, as an output that is bytes.
    Bytes,
    /// Whole, as bytes.
    Binary,
    /// In pieces.
    Stream,
    /// Its name and size, and those of others.
    List,
    /// Not at all: it is deleted.
    Delete,
}

impl BlobForm {
    /// What the declaration says of it: keys and JSON texts.
    pub const fn config(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Whole | Self::Text | Self::Bytes => &[],
            Self::Binary => &[("dataType", "\"binary\"")],
            Self::Stream => &[("dataType", "\"stream\"")],
            Self::List => &[("operation", "\"list\"")],
            Self::Delete => &[("operation", "\"delete\"")],
        }
    }

    /// The same of a request to a service.
    pub const fn request(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Whole | Self::Stream | Self::List => &[("dataType", "\"json\"")],
            Self::Text => &[("dataType", "\"string\"")],
            Self::Binary | Self::Bytes => &[("dataType", "\"binary\"")],
            Self::Delete => &[("method", "\"DELETE\"")],
        }
    }
}

/// The form of an input of type `T`. The constant of the type itself, for any [`BlobInput`], goes before that of
/// [`AnyForm`], which is for types that are only `Deserialize`.
#[derive(Debug)]
pub struct InputForm<T>(PhantomData<T>);

/// The form of an output of type `T`, found in the same way.
#[derive(Debug)]
pub struct OutputForm<T>(PhantomData<T>);

/// The form of a type that says nothing of it.
pub trait AnyForm {
    /// JSON.
    const FORM: BlobForm = BlobForm::Whole;
}

impl<T> AnyForm for InputForm<T> {}

impl<T> AnyForm for OutputForm<T> {}

impl<T: BlobInput> InputForm<T> {
    /// What the type says.
    pub const FORM: BlobForm = T::FORM;
}

impl<T: BlobOutput> OutputForm<T> {
    /// What the type says.
    pub const FORM: BlobForm = T::FORM;
}

/// Ends the compilation where a key is for lists alone.
pub const fn assert_list(form: BlobForm) {
    assert!(matches!(form, BlobForm::List), "only a list has this: take a `BlobList`");
}

/// Ends the compilation where a key is for what has content.
pub const fn assert_content(form: BlobForm) {
    assert!(!matches!(form, BlobForm::List), "a list has none: `max_items` is its limit");
    assert!(!matches!(form, BlobForm::Delete), "a deletion has none of this");
}

/// Ends the compilation where only a blob can be handed over like this.
pub const fn assert_whole(form: BlobForm) {
    assert!(
        !matches!(form, BlobForm::Stream | BlobForm::List),
        "only blobs come in pieces or as a list"
    );
    assert!(!matches!(form, BlobForm::Delete), "a message cannot be deleted");
}
