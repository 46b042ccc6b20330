//! Why a blob was not read or written, whatever the storage.

use std::{error::Error, io};

use object_store::client::{HttpError, HttpErrorKind};

use crate::binding::StorageFault;

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
    /// A fault of `object_store`.
    pub(super) fn of_store(error: object_store::Error) -> Self {
        use object_store::Error as E;
        let kind = match &error {
            E::AlreadyExists { .. } | E::Precondition { .. } => return Self::Conflict,
            E::PermissionDenied { .. } | E::Unauthenticated { .. } => StorageFault::Denied,
            _ => of_causes(&error),
        };
        Self::Storage(kind, Box::new(error))
    }

    /// A fault of the file system.
    pub(super) fn of_file(error: io::Error) -> Self {
        Self::Storage(of_io(&error), Box::new(error))
    }

    /// A fault that says nothing of its kind.
    pub(super) fn other(error: impl Error + Send + Sync + 'static) -> Self {
        let kind = of_causes(&error);
        Self::Storage(kind, Box::new(error))
    }
}

/// What the causes of a fault tell of it.
pub(in crate::binding) fn of_causes(error: &(dyn Error + 'static)) -> StorageFault {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(error) = cause.downcast_ref::<HttpError>() {
            return match error.kind() {
                HttpErrorKind::Timeout => StorageFault::Timeout,
                HttpErrorKind::Connect | HttpErrorKind::Request | HttpErrorKind::Interrupted => {
                    StorageFault::Unreachable
                }
                _ => StorageFault::Other,
            };
        }
        if let Some(error) = cause.downcast_ref::<io::Error>() {
            return of_io(error);
        }
        if let Some(status) = status_of(&cause.to_string()) {
            return of_status(status);
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
        507 => StorageFault::Full,
        _ => StorageFault::Other,
    }
}

/// What the file system tells.
pub(in crate::binding) fn of_io(error: &io::Error) -> StorageFault {
    use io::ErrorKind as K;
    match error.kind() {
        K::PermissionDenied => StorageFault::Denied,
        K::ReadOnlyFilesystem => StorageFault::ReadOnly,
        K::StorageFull | K::QuotaExceeded => StorageFault::Full,
        K::TimedOut => StorageFault::Timeout,
        K::ConnectionRefused | K::ConnectionReset | K::HostUnreachable | K::NetworkUnreachable => {
            StorageFault::Unreachable
        }
        _ => StorageFault::Other,
    }
}
