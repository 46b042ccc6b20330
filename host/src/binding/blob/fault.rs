//! Why a blob was not read or written.

use std::error::Error;

/// The largest blob that is read: it is held in memory, once here and once in the guest.
pub(super) const MAX_BLOB_BYTES: u64 = 64 * 1024 * 1024;

/// Why a blob was not read or written.
#[derive(Debug)]
pub(super) enum Fault {
    /// More than [`MAX_BLOB_BYTES`].
    TooLarge,
    /// Anything else.
    Storage(Box<dyn Error + Send + Sync>),
}

impl Fault {
    pub(super) fn storage(error: impl Error + Send + Sync + 'static) -> Self {
        Self::Storage(Box::new(error))
    }
}
