//! One container of one connection: reads and replaces whole blobs.

use std::sync::Arc;

use bytes::Bytes;
use object_store::{ObjectStoreExt as _, memory::InMemory};

use super::{
    azure::Container,
    fault::Fault,
    folder::Folder,
    object::{path, read},
};

/// The longest name that common file systems take.
const MAX_FILE_NAME_BYTES: usize = 255;

/// One container of one connection.
#[derive(Debug)]
pub(super) enum Store {
    /// Files.
    Folder(Folder),
    /// Gone when the host stops.
    Memory {
        /// All containers of the connection.
        store: Arc<InMemory>,
        /// This one.
        container: String,
    },
    /// Azure Blob Storage.
    Azure(Container),
}

impl Store {
    /// The longest segment of a name, in bytes.
    pub(super) fn max_segment(&self) -> usize {
        match self {
            Self::Folder(_) => MAX_FILE_NAME_BYTES,
            Self::Memory { .. } | Self::Azure(_) => usize::MAX,
        }
    }

    /// None: there is no such blob, or no such container.
    pub(super) async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        match self {
            Self::Folder(folder) => folder.read(name).await,
            Self::Memory { store, container } => {
                read(store, &path(&format!("{container}/{name}"))?).await
            }
            Self::Azure(container) => container.read(&path(name)?).await,
        }
    }

    /// Replaces the blob as a whole and makes the container if it is missing.
    pub(super) async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        match self {
            Self::Folder(folder) => folder.write(name, bytes).await,
            Self::Memory { store, container } => {
                let path = path(&format!("{container}/{name}"))?;
                store
                    .put(&path, Bytes::copy_from_slice(bytes).into())
                    .await
                    .map_err(Fault::storage)?;
                Ok(())
            }
            Self::Azure(container) => {
                container.write(&path(name)?, Bytes::copy_from_slice(bytes)).await
            }
        }
    }
}
