//! Why a function that asks does not go on.

use std::{error::Error, fmt::Display};

use crate::{Ask, failure::failure, wit};

/// Why a function does not go on: it waits for answers, or it failed. The error type of a function that asks.
///
/// Any error and any text becomes one with `?` or `into`, and is then the failure that the client reads:
///
/// ```
/// use mcpfn_sdk::Stop;
///
/// fn half(number: &str) -> Result<i64, Stop> {
///     let number: i64 = number.parse()?;
///     if number % 2 == 1 {
///         return Err(format!("{number} is odd").into());
///     }
///     Ok(number / 2)
/// }
///
/// assert_eq!(half("3").unwrap_err().message().as_deref(), Some("3 is odd"));
/// assert_eq!(half("").unwrap_err().message().as_deref(), Some("cannot parse integer from empty string"));
/// ```
///
/// It is not itself an [`Error`], so that no other error type can swallow a question.
#[derive(Debug)]
pub struct Stop(Cause);

#[derive(Debug)]
enum Cause {
    Unanswered(Ask),
    Failed(String),
}

impl Stop {
    /// A failure with the message of `error`.
    pub fn failed(error: impl Display) -> Self {
        Self(Cause::Failed(error.to_string()))
    }

    pub(crate) fn for_answers(ask: Ask) -> Self {
        Self(Cause::Unanswered(ask))
    }

    /// Whether it waits for answers.
    pub fn is_question(&self) -> bool {
        matches!(self.0, Cause::Unanswered(_))
    }

    /// What the client reads, of a failure.
    pub fn message(&self) -> Option<String> {
        match &self.0 {
            Cause::Unanswered(_) => None,
            Cause::Failed(message) => Some(message.clone()),
        }
    }
}

impl<E: Into<Box<dyn Error>>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::failed(error.into())
    }
}

/// What becomes of the error of a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a function",
    label = "not a type of error",
    note = "return a text, any type with `Display`, or `Stop`"
)]
pub trait Refusal {
    /// What the invocation came to.
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure>;
}

impl<E: Display> Refusal for E {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        Err(failure(&self))
    }
}

impl Refusal for Stop {
    fn into_outcome(self) -> Result<wit::Outcome, wit::Failure> {
        match self.0 {
            Cause::Unanswered(ask) => Ok(wit::Outcome::InputRequired(ask.request())),
            Cause::Failed(message) => Err(failure(&message)),
        }
    }
}
