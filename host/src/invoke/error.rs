//! Why an invocation came to nothing.

use thiserror::Error;

use super::ArgumentsError;
use crate::{binding::BindingError, function::Invocation, guest::GuestError};

/// Why an invocation came to nothing. [`Display`](std::fmt::Display) is for the log;
/// [`Self::public_message`] is for the client.
#[derive(Debug, Error)]
pub enum InvokeError {
    /// The arguments do not fit the schema.
    #[error("arguments do not fit the schema")]
    Arguments(#[from] ArgumentsError),
    /// As many invocations of the function run and wait as may.
    #[error("busy: {running} run and {waiting} wait")]
    Busy {
        /// How many run.
        running: usize,
        /// How many wait.
        waiting: usize,
    },
    /// An input binding.
    #[error("input `{name}`")]
    Input {
        /// The binding.
        name: String,
        /// What went wrong.
        #[source]
        source: BindingError,
    },
    /// The guest did not answer.
    #[error("guest")]
    Guest(#[from] GuestError),
    /// Structured content that does not fit the tool's own output schema.
    #[error("the result does not fit the output schema: `{path}` {reason}")]
    Result {
        /// Where in the structured content, as a JSON pointer.
        path: String,
        /// What is wrong there.
        reason: String,
    },
    /// A form that no answer fits.
    #[error("the schema of question `{key}` cannot be used: {reason}")]
    Form {
        /// The question.
        key: String,
        /// What is wrong with its schema.
        reason: String,
    },
    /// An output binding.
    #[error("output `{name}`")]
    Output {
        /// The binding.
        name: String,
        /// What had been written before, and stays.
        written: Vec<String>,
        /// What went wrong.
        #[source]
        source: OutputError,
    },
}

/// Why an output was not written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The binding failed.
    #[error(transparent)]
    Binding(#[from] BindingError),
    /// The time of the invocation was up.
    #[error("the invocation {0}")]
    Deadline(GuestError),
    /// An optional argument in its path is missing.
    #[error("an argument in its path is missing")]
    Unresolved,
    /// The function began it as a stream, and returned it too.
    #[error("it was written in pieces and as a whole (expected one of them)")]
    Twice,
    /// Several content blocks, or one that has no bytes, are not one value.
    #[error("what the function returned is not one text, image, sound or value")]
    Blocks,
    /// No such output is declared.
    #[error("no such output is declared")]
    Undeclared,
}

impl InvokeError {
    /// What a client may read: one line for each failing argument, or one sentence with the id that finds
    /// the log.
    pub fn public_message(&self, invocation: &Invocation) -> String {
        let kind = invocation.function.trigger.kind();
        let sentence = match self {
            // Nothing ran, so there is nothing to find.
            Self::Arguments(error) => return error.to_string(),
            Self::Busy { running, waiting } => format!(
                "the {kind} is busy: {running} of its calls are running and {waiting} are waiting (try again later)"
            ),
            // The client can mend an argument; it does not care which binding wanted it.
            Self::Input { source: error @ BindingError::Argument { .. }, .. }
            | Self::Output {
                source: OutputError::Binding(error @ BindingError::Argument { .. }),
                ..
            } => error.public_message(),
            Self::Input { name, source } => {
                format!("input `{name}` was not read: {}", source.public_message())
            }
            Self::Guest(error) => format!("the {kind} {error}"),
            Self::Result { path, reason } => format!(
                "the tool returned structured content that does not fit its output schema: `{path}` {reason}"
            ),
            Self::Form { key, reason } => {
                format!(
                    "the {kind} asked with a form whose schema cannot be used: `{key}` {reason}"
                )
            }
            Self::Output { name, source: OutputError::Deadline(timeout), .. } => {
                // What was under way may have got there.
                format!("output `{name}` may not have been written: the invocation {timeout}")
            }
            Self::Output { name, written, source } => {
                let reason = match source {
                    OutputError::Binding(error) => error.public_message(),
                    other => other.to_string(),
                };
                // Where the answer was lost, nobody knows.
                let was_not = match source {
                    OutputError::Binding(error) if error.is_unclear() => "may not have been",
                    _ => "was not",
                };
                let already = written.join("`, `");
                if already.is_empty() {
                    format!("output `{name}` {was_not} written: {reason}")
                } else {
                    format!(
                        "output `{name}` {was_not} written: {reason}; already written: `{already}`"
                    )
                }
            }
        };
        format!("{sentence} (invocation {})", invocation.id)
    }

    /// Whether the client can mend it: an argument that does not fit, or cannot be part of a path.
    pub fn is_of_arguments(&self) -> bool {
        matches!(self, Self::Arguments(_))
            || matches!(self.binding(), Some(BindingError::Argument { .. }))
    }

    /// Whether the guest broke down, rather than being refused or failing at what it does.
    pub fn is_fault_of_guest(&self) -> bool {
        matches!(self, Self::Guest(_))
    }

    /// One word for the log and the metrics.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Arguments(_) => "arguments",
            Self::Busy { .. } => "busy",
            Self::Input { .. } => "input",
            Self::Guest(GuestError::Timeout(_)) => "timeout",
            Self::Guest(_) => "guest",
            Self::Result { .. } => "result",
            Self::Form { .. } => "form",
            Self::Output { .. } => "output",
        }
    }

    /// The binding that failed, if one did.
    fn binding(&self) -> Option<&BindingError> {
        match self {
            Self::Input { source, .. }
            | Self::Output { source: OutputError::Binding(source), .. } => Some(source),
            Self::Arguments(_)
            | Self::Busy { .. }
            | Self::Guest(_)
            | Self::Result { .. }
            | Self::Form { .. }
            | Self::Output { .. } => None,
        }
    }

    /// Writes the whole chain of causes to the log, at the level of the one who can mend it.
    pub(super) fn log(&self, invocation: &str) {
        let text = causes(self);
        match (self, self.binding()) {
            (Self::Arguments(_), _) | (_, Some(BindingError::Argument { .. })) => {
                tracing::debug!(invocation, "{text}");
            }
            (_, Some(BindingError::Storage { .. } | BindingError::Service { .. })) => {
                tracing::error!(invocation, "{text}");
            }
            _ => tracing::warn!(invocation, "{text}"),
        }
    }
}

/// An error with all that caused it, for the log.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
