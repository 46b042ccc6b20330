//! Why an operation on a container did not happen.

use std::{error::Error, fmt};

use crate::wit::blobs;

/// Why an operation on a [`Container`](crate::Container) did not happen. The text is for the client, so a tool can return
/// it as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContainerError {
    /// There is no such blob.
    NotFound {
        /// Its name.
        blob: String,
    },
    /// The container is not granted to the function: host.json has to name it.
    Denied {
        /// Its name.
        container: String,
    },
    /// There is such a blob already, or it is not that version any more.
    Conflict {
        /// Its name.
        blob: String,
    },
    /// The blob is over the limit of the host.
    TooLarge {
        /// Its name.
        blob: String,
    },
    /// Anything else, in the words of the host.
    Other(String),
}

impl ContainerError {
    pub(super) fn new(error: blobs::Error, container: &str, blob: &str) -> Self {
        let blob = blob.to_owned();
        match error {
            blobs::Error::NotFound => Self::NotFound { blob },
            blobs::Error::Denied => Self::Denied { container: container.to_owned() },
            blobs::Error::Conflict => Self::Conflict { blob },
            blobs::Error::TooLarge => Self::TooLarge { blob },
            blobs::Error::Other(reason) => Self::Other(reason),
        }
    }
}

impl fmt::Display for ContainerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { blob } => write!(f, "there is no blob `{blob}`"),
            Self::Denied { container } => write!(
                f,
                "the container `{container}` is not granted: `functions.NAME.containers` of host.json needs \
                 {{ \"name\": \"{container}\" }}"
            ),
            Self::Conflict { blob } => {
                write!(f, "the blob `{blob}` is there already, or has changed")
            }
            Self::TooLarge { blob } => write!(f, "the blob `{blob}` is too large"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

impl Error for ContainerError {}
