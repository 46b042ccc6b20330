//! Picks a conversion by what a type implements.
//!
//! A blanket over `Serialize` and an implementation for `String` cannot be in one trait, since `String` is
//! `Serialize`. A method call can choose, though: it tries `&&T` before `&T` before `T`, and skips what does not fit.
//! So each way is a trait of its own, the preferred one for the most references; the last one fits everything and
//! fails with a message that names what would have been right. It works because the macros see concrete types.

use std::marker::PhantomData;

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    Json,
    blob::{self, BlobInput, BlobOutput},
    call::Input,
    failure::failure,
    returned::{self, Return},
    wit,
};

/// Stands for a `T` in a method call.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<T>);

impl<T> Probe<T> {
    /// Of a type that is known.
    pub fn known() -> Self {
        Self(PhantomData)
    }

    /// Of the type of a value.
    pub fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

/// What is inside a `Result`.
pub trait Fallible {
    /// The type of success.
    type Ok;
}

impl<T, E> Fallible for Result<T, E> {
    type Ok = T;
}

type Outcome = Result<wit::Outcome, wit::Failure>;

/// Results, first: the type says itself what it becomes.
pub trait ByReturn<T> {
    /// What the invocation came to.
    fn outcome(&self, value: T) -> Outcome;
    /// The schema of the type.
    fn schema(&self) -> Option<String>;
}

impl<T: Return> ByReturn<T> for &&&Probe<T> {
    fn outcome(&self, value: T) -> Outcome {
        value.into_outcome()
    }

    fn schema(&self) -> Option<String> {
        T::output_schema()
    }
}

/// Results, second: a `Result` under another name must not be serialized as `{"Ok": ..}`.
pub trait ByResult<T> {
    /// Fails to compile, and names the type inside.
    fn outcome(&self, value: T) -> Outcome
    where
        T: Return;
    /// Never published.
    fn schema(&self) -> Option<String>;
}

impl<T, E> ByResult<Result<T, E>> for &&Probe<Result<T, E>> {
    fn outcome(&self, value: Result<T, E>) -> Outcome
    where
        Result<T, E>: Return,
    {
        value.into_outcome()
    }

    fn schema(&self) -> Option<String> {
        None
    }
}

/// Results, third: structured content.
pub trait BySerialize<T> {
    /// What the invocation came to.
    fn outcome(&self, value: T) -> Outcome;
    /// Serde does not know it.
    fn schema(&self) -> Option<String>;
}

impl<T: Serialize> BySerialize<T> for &Probe<T> {
    fn outcome(&self, value: T) -> Outcome {
        returned::serialized(&value)
    }

    fn schema(&self) -> Option<String> {
        None
    }
}

/// Results, last: a message.
pub trait ByNoReturn<T> {
    /// Fails to compile.
    fn outcome(&self, value: T) -> Outcome
    where
        T: Return;
    /// Never published.
    fn schema(&self) -> Option<String>;
}

impl<T> ByNoReturn<T> for Probe<T> {
    fn outcome(&self, value: T) -> Outcome
    where
        T: Return,
    {
        value.into_outcome()
    }

    fn schema(&self) -> Option<String> {
        None
    }
}

type Read<T> = Result<T, wit::Failure>;

/// Blob inputs, first: the type says itself how it is read.
pub trait ByBlobInput<T> {
    /// Reads the blob.
    fn input(&self, input: Input<'_>) -> Read<T>;
}

impl<T: BlobInput> ByBlobInput<T> for &&&Probe<T> {
    fn input(&self, input: Input<'_>) -> Read<T> {
        input.read()
    }
}

/// Blob inputs, second: JSON that may not be there.
pub trait ByDeserializeOption<T> {
    /// Reads the blob.
    fn input(&self, input: Input<'_>) -> Read<T>;
}

impl<T: DeserializeOwned> ByDeserializeOption<Option<T>> for &&Probe<Option<T>> {
    fn input(&self, input: Input<'_>) -> Read<Option<T>> {
        Ok(input.read::<Option<Json<T>>>()?.map(|json| json.0))
    }
}

/// Blob inputs, third: JSON.
pub trait ByDeserialize<T> {
    /// Reads the blob.
    fn input(&self, input: Input<'_>) -> Read<T>;
}

impl<T: DeserializeOwned> ByDeserialize<T> for &Probe<T> {
    fn input(&self, input: Input<'_>) -> Read<T> {
        Ok(input.read::<Json<T>>()?.0)
    }
}

/// Blob inputs, last: a message.
pub trait ByNoInput<T> {
    /// Fails to compile.
    fn input(&self, input: Input<'_>) -> Read<T>
    where
        T: BlobInput;
}

impl<T> ByNoInput<T> for Probe<T> {
    fn input(&self, input: Input<'_>) -> Read<T>
    where
        T: BlobInput,
    {
        input.read()
    }
}

type Written = Result<Option<wit::Output>, wit::Failure>;

fn written(name: &str, value: Result<wit::Value, String>) -> Written {
    match value {
        Ok(value) => Ok(Some(wit::Output { name: name.to_owned(), value })),
        Err(what) => Err(failure(&format!("the output `{name}` {what}"))),
    }
}

/// Blob outputs, first: the type says itself how it is written.
pub trait ByBlobOutput<T> {
    /// Writes the value.
    fn output(&self, name: &str, value: Option<T>) -> Written;
}

impl<T: BlobOutput> ByBlobOutput<T> for &&Probe<T> {
    fn output(&self, name: &str, value: Option<T>) -> Written {
        value.map_or(Ok(None), |value| written(name, value.into_value()))
    }
}

/// Blob outputs, second: JSON.
pub trait BySerializeOutput<T> {
    /// Writes the value.
    fn output(&self, name: &str, value: Option<T>) -> Written;
}

impl<T: Serialize> BySerializeOutput<T> for &Probe<T> {
    fn output(&self, name: &str, value: Option<T>) -> Written {
        value.map_or(Ok(None), |value| written(name, blob::serialized(&value)))
    }
}

/// Blob outputs, last: a message.
pub trait ByNoOutput<T> {
    /// Fails to compile.
    fn output(&self, name: &str, value: Option<T>) -> Written
    where
        T: BlobOutput;
}

impl<T> ByNoOutput<T> for Probe<T> {
    fn output(&self, name: &str, value: Option<T>) -> Written
    where
        T: BlobOutput,
    {
        value.map_or(Ok(None), |value| written(name, value.into_value()))
    }
}
