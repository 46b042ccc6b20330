//! Failures that a function chose.

use std::fmt::Display;

use crate::wit;

/// The message of an error reaches the client as it is.
pub(crate) fn failure<E: Display + ?Sized>(error: &E) -> wit::Failure {
    wit::Failure { message: error.to_string(), details: None }
}
