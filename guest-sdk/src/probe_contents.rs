//! Picks how a value becomes the contents of a resource; see [`probe`](crate::probe) for why it is done so.

use serde::Serialize;

use crate::{contents::ResourceReturn, probe::Probe, returned, wit};

type Outcome = Result<wit::Outcome, wit::Failure>;

/// First: the type says itself what it becomes.
pub trait ByResourceReturn<T> {
    /// What the invocation came to.
    fn contents(&self, value: T) -> Outcome;
}

impl<T: ResourceReturn> ByResourceReturn<T> for &&&Probe<T> {
    fn contents(&self, value: T) -> Outcome {
        value.into_contents()
    }
}

/// Second: a `Result` under another name must not be serialized as `{"Ok": ..}`.
pub trait ByResultContents<T> {
    /// Fails to compile, and names the type inside.
    fn contents(&self, value: T) -> Outcome
    where
        T: ResourceReturn;
}

impl<T, E> ByResultContents<Result<T, E>> for &&Probe<Result<T, E>> {
    fn contents(&self, value: Result<T, E>) -> Outcome
    where
        Result<T, E>: ResourceReturn,
    {
        value.into_contents()
    }
}

/// Third: JSON.
pub trait BySerializeContents<T> {
    /// What the invocation came to.
    fn contents(&self, value: T) -> Outcome;
}

impl<T: Serialize> BySerializeContents<T> for &Probe<T> {
    fn contents(&self, value: T) -> Outcome {
        returned::serialized(&value)
    }
}

/// Last: a message.
pub trait ByNoContents<T> {
    /// Fails to compile.
    fn contents(&self, value: T) -> Outcome
    where
        T: ResourceReturn;
}

impl<T> ByNoContents<T> for Probe<T> {
    fn contents(&self, value: T) -> Outcome
    where
        T: ResourceReturn,
    {
        value.into_contents()
    }
}
