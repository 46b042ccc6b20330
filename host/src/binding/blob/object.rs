//! Blobs of any object store, whole.

use object_store::{ObjectStore, ObjectStoreExt as _, path::Path};

use super::fault::{Fault, MAX_BLOB_BYTES};

/// Reads from any object store.
pub(super) async fn read(store: &dyn ObjectStore, path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    let found = match store.get(path).await {
        Ok(found) => found,
        Err(object_store::Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(Fault::storage(error)),
    };
    if found.meta.size > MAX_BLOB_BYTES {
        return Err(Fault::TooLarge);
    }
    let bytes = found.bytes().await.map_err(Fault::storage)?;
    Ok(Some(bytes.into()))
}

/// `Path::parse` keeps a name as it is; `Path::from` would encode it.
pub(super) fn path(name: &str) -> Result<Path, Fault> {
    Path::parse(name).map_err(Fault::storage)
}
