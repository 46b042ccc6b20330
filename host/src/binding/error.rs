//! What can be wrong with a binding: in its declaration, at load, and in a call.

use thiserror::Error;

/// A declaration that cannot work. Found at load.
#[derive(Debug, Error)]
pub enum DeclarationError {
    /// No such type.
    #[error("unknown binding type `{kind}`{hint}")]
    UnknownType {
        /// What was written.
        kind: String,
        /// The type that was probably meant, or all there are.
        hint: String,
    },
    /// A key that the type does not know, or that it lacks, or a value of the wrong type.
    #[error("`{key}`: {reason}")]
    Config {
        /// The key in the declaration.
        key: String,
        /// What is wrong and what is expected.
        reason: String,
    },
    /// A template that cannot be read or names no argument, or makes what the type cannot take.
    #[error("{key} `{text}`: {reason}")]
    Template {
        /// The key in the declaration, such as `path`.
        key: Box<str>,
        /// The template as it was written.
        text: Box<str>,
        /// What is wrong, with the position.
        reason: String,
    },
    /// A connection that does not exist or cannot be used.
    #[error("connection `{connection}`: {reason}")]
    Connection {
        /// Its name.
        connection: String,
        /// What is wrong and what would help. Never a secret.
        reason: String,
    },
    /// A header that a connection cannot send.
    #[error("connection `{connection}`: header `{header}` {reason}")]
    Header {
        /// The connection.
        connection: Box<str>,
        /// The header, as it was written.
        header: Box<str>,
        /// What is wrong and what would help. Never the value.
        reason: Box<str>,
    },
}

/// What went wrong with one binding in one call. [`Display`](std::fmt::Display) is for the log.
#[derive(Debug, Error)]
pub enum BindingError {
    /// The value of an argument cannot be where the declaration puts it.
    #[error("argument `{argument}` {reason}")]
    Argument {
        /// The argument, as the function names it; a nested one with dots.
        argument: String,
        /// What is wrong with the value. Never the value.
        reason: String,
    },
    /// What the storage holds is not what the binding asks for.
    #[error("{reason}")]
    Content {
        /// What is wrong.
        reason: String,
    },
    /// More than the binding takes.
    #[error("the blob is larger than {}", size(*.max_bytes))]
    TooLarge {
        /// How much it takes.
        max_bytes: u64,
    },
    /// What is there is not what the condition of a write wants.
    #[error("{reason}")]
    Conflict {
        /// What is there instead.
        reason: String,
    },
    /// The storage failed.
    #[error("connection `{connection}` {kind}")]
    Storage {
        /// The connection, by name.
        connection: String,
        /// What is known of it.
        kind: StorageFault,
        /// The detail, for the log.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A service was not heard.
    #[error("the service of connection `{connection}` {kind}")]
    Service {
        /// The connection, by name.
        connection: String,
        /// What is known of it.
        kind: StorageFault,
        /// The detail, for the log. It names no address.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A service answered what is no success.
    #[error("the service of connection `{connection}` answered {status}{remark}{}", remedy(*status))]
    Answer {
        /// The connection, by name.
        connection: String,
        /// The status of HTTP.
        status: u16,
        /// What is to be said of it.
        remark: &'static str,
    },
}

/// What is known of a storage that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageFault {
    /// Nobody answers.
    Unreachable,
    /// It was silent for too long.
    Timeout,
    /// The credentials are not good for this.
    Denied,
    /// It takes no writes.
    ReadOnly,
    /// There is no room.
    Full,
    /// It has too much to do.
    Throttled,
    /// It has no such container, and nobody but its owner makes one.
    Missing,
    /// Anything else.
    Other,
}

impl std::fmt::Display for StorageFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "cannot be reached",
            Self::Timeout => "did not answer in time",
            Self::Denied => "denied access",
            Self::ReadOnly => "is read-only",
            Self::Full => "is full",
            Self::Throttled => "is busy (try again later)",
            Self::Missing => "has no such bucket (its owner has to make it)",
            Self::Other => "failed",
        })
    }
}

impl DeclarationError {
    /// The key of the declaration that is to blame, for messages that point into host.json.
    pub fn key(&self) -> &str {
        match self {
            Self::UnknownType { .. } => "type",
            Self::Config { key, .. } => key,
            Self::Template { key, .. } => key,
            Self::Connection { .. } | Self::Header { .. } => "connection",
        }
    }
}

impl BindingError {
    /// Whether what failed may have been done nevertheless: the answer to it was lost, or never came.
    pub fn is_unclear(&self) -> bool {
        match self {
            Self::Storage { kind, .. } | Self::Service { kind, .. } => {
                matches!(kind, StorageFault::Unreachable | StorageFault::Timeout)
            }
            _ => false,
        }
    }

    /// One sentence for the client: no secret, no address, no value.
    pub fn public_message(&self) -> String {
        match self {
            Self::Argument { .. }
            | Self::Content { .. }
            | Self::TooLarge { .. }
            | Self::Conflict { .. }
            | Self::Service { .. } => self.to_string(),
            // The remedy is for those who have the log, and host.json.
            Self::Answer { connection, status, remark } => {
                format!("the service of connection `{connection}` answered {status}{remark}")
            }
            Self::Storage { connection, kind, .. } => {
                format!("the storage of connection `{connection}` {kind}")
            }
        }
    }
}

/// What would help where a service does not take who asks, for its owner.
pub(super) fn remedy(status: u16) -> &'static str {
    match status {
        401 | 403 => ": what proves who asks belongs in `headers` of the connection",
        _ => "",
    }
}

fn size(n_bytes: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    if n_bytes.is_multiple_of(MIB) {
        format!("{} MiB", n_bytes / MIB)
    } else {
        format!("{n_bytes} bytes")
    }
}
