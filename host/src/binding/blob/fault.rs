//! Why a blob was not read or written, whatever the storage.

#[cfg(test)]
mod tests;

use std::{error::Error, io};

use object_store::client::{HttpError, HttpErrorKind};

use super::detail::Detail;
use crate::binding::{BindingError, StorageFault};

/// Why a blob was not read or written.
#[derive(Debug)]
pub(super) enum Fault {
    /// More than the binding allows.
    TooLarge,
    /// The condition of a write did not hold.
    Conflict,
    /// Anything else.
    Storage(StorageFault, Box<dyn Error + Send + Sync>),
}

impl Fault {
    /// It as the fault of a binding on this connection, which takes so much.
    pub(super) fn of_binding(self, connection: &str, max_bytes: u64) -> BindingError {
        match self {
            Self::TooLarge => BindingError::TooLarge { max_bytes },
            Self::Conflict => {
                BindingError::Conflict { reason: "another blob is there already".to_owned() }
            }
            Self::Storage(kind, source) => {
                BindingError::Storage { connection: connection.to_owned(), kind, source }
            }
        }
    }

    /// A fault of `object_store`.
    pub(super) fn of_store(error: object_store::Error) -> Self {
        use object_store::Error as E;
        if matches!(error, E::AlreadyExists { .. } | E::Precondition { .. }) {
            return Self::Conflict;
        }
        let kind = of_causes(&error);
        Self::Storage(kind, Box::new(Detail::of(&error)))
    }

    /// The container is not there, and is not made by us.
    pub(super) fn missing(error: object_store::Error) -> Self {
        Self::Storage(StorageFault::Missing, Box::new(Detail::of(&error)))
    }

    /// A fault of the file system.
    pub(super) fn of_file(error: io::Error) -> Self {
        Self::Storage(of_io(&error), Box::new(Detail::of(&error)))
    }

    /// A fault that says nothing of its kind.
    pub(super) fn other(error: impl Error + Send + Sync + 'static) -> Self {
        let kind = of_causes(&error);
        Self::Storage(kind, Box::new(Detail::of(&error)))
    }
}

/// Whether there is no such blob or container. Not every request says so in the same way.
pub(super) fn is_not_found(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::NotFound { .. })
        || status_of(&error.to_string()) == Some(404)
}

/// What the causes of a fault tell of it.
pub(in crate::binding) fn of_causes(error: &(dyn Error + 'static)) -> StorageFault {
    use object_store::Error as E;
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(E::PermissionDenied { .. } | E::Unauthenticated { .. }) = cause.downcast_ref() {
            return StorageFault::Denied;
        }
        if let Some(error) = cause.downcast_ref::<HttpError>() {
            match error.kind() {
                HttpErrorKind::Timeout => return StorageFault::Timeout,
                HttpErrorKind::Connect | HttpErrorKind::Request | HttpErrorKind::Interrupted => {
                    return StorageFault::Unreachable;
                }
                // What is below knows more.
                _ => {}
            }
        } else if let Some(error) = cause.downcast_ref::<io::Error>() {
            return of_io(error);
        }
        let text = cause.to_string();
        if let Some(status) = status_of(&text) {
            return of_status(status);
        }
        // An error in the body of a success, which S3 has.
        if text.contains("error response: ") && text.contains("SlowDown") {
            return StorageFault::Throttled;
        }
        next = cause.source();
    }
    StorageFault::Other
}

/// `object_store` keeps the type that has the status to itself, so it is read from the only other place that has it.
fn status_of(text: &str) -> Option<u16> {
    let rest = text.split("status code: ").nth(1)?;
    rest.get(..3)?.parse().ok()
}

/// What a status tells. 507 and 413 are what servers of the S3 interface answer that have no room.
pub(in crate::binding) fn of_status(status: u16) -> StorageFault {
    match status {
        401 | 403 => StorageFault::Denied,
        408 | 504 => StorageFault::Timeout,
        429 | 503 => StorageFault::Throttled,
        502 => StorageFault::Unreachable,
        413 | 507 => StorageFault::Full,
        _ => StorageFault::Other,
    }
}

/// What the file system tells.
pub(in crate::binding) fn of_io(error: &io::Error) -> StorageFault {
    use io::ErrorKind as K;
    match error.kind() {
        K::PermissionDenied => StorageFault::Denied,
        K::ReadOnlyFilesystem => StorageFault::ReadOnly,
        // A file system that takes no more of one file has no room for it either.
        K::StorageFull | K::QuotaExceeded | K::FileTooLarge => StorageFault::Full,
        K::TimedOut => StorageFault::Timeout,
        K::ConnectionRefused | K::ConnectionReset | K::HostUnreachable | K::NetworkUnreachable => {
            StorageFault::Unreachable
        }
        _ => StorageFault::Other,
    }
}
