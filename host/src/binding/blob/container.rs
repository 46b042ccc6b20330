//! A container that a function opens itself: the capability `blobs`.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Fault, Store, path, store::About};
use crate::function::{BlobDetails, BlobPage, Condition, Container, StorageError};

/// The most that is read or written at once.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// How many blobs a page has.
const PAGE_ITEMS: usize = 1_000;

/// An open container.
#[derive(Debug)]
pub(super) struct OpenContainer {
    connection: String,
    store: Arc<Store>,
}

impl OpenContainer {
    pub(super) fn new(connection: String, store: Arc<Store>) -> Self {
        Self { connection, store }
    }

    fn check(&self, name: &str) -> Result<(), StorageError> {
        path::check_name(name, self.store.max_segment())
            .map_err(|reason| StorageError::Other(format!("the name of the blob {reason}")))
    }

    fn error(&self, fault: Fault) -> StorageError {
        match fault {
            Fault::TooLarge => StorageError::TooLarge,
            Fault::Conflict => StorageError::Conflict,
            Fault::Storage(kind, source) => {
                let connection = &self.connection;
                tracing::error!(connection, "{kind}: {source}");
                StorageError::Other(format!("the storage of connection `{connection}` {kind}"))
            }
        }
    }
}

#[async_trait]
impl Container for OpenContainer {
    async fn get(&self, name: &str) -> Result<Vec<u8>, StorageError> {
        self.check(name)?;
        let found = self.store.read(name, MAX_BYTES).await.map_err(|fault| self.error(fault))?;
        found.map(|(bytes, _)| bytes).ok_or(StorageError::NotFound)
    }

    async fn put(
        &self,
        name: &str,
        bytes: Vec<u8>,
        condition: Condition,
    ) -> Result<Option<String>, StorageError> {
        self.check(name)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(StorageError::TooLarge);
        }
        let about = About::of_name(name);
        let write = self.store.write(name, bytes.into(), &condition, &about);
        write.await.map_err(|fault| self.error(fault))
    }

    async fn delete(&self, name: &str) -> Result<(), StorageError> {
        self.check(name)?;
        self.store.delete(name).await.map_err(|fault| self.error(fault))
    }

    async fn stat(&self, name: &str) -> Result<BlobDetails, StorageError> {
        self.check(name)?;
        let found = self.store.stat(name).await.map_err(|fault| self.error(fault))?;
        let (stat, about) = found.ok_or(StorageError::NotFound)?;
        Ok(BlobDetails {
            entry: stat.named(name.to_owned()),
            content_type: about.content_type,
            metadata: about.metadata,
        })
    }

    async fn list(&self, prefix: &str, after: Option<&str>) -> Result<BlobPage, StorageError> {
        path::check_prefix(prefix, self.store.max_segment())
            .map_err(|reason| StorageError::Other(format!("the prefix {reason}")))?;
        if let Some(after) = after {
            path::check_prefix(after, usize::MAX).map_err(|reason| {
                StorageError::Other(format!("the name to go on after {reason}"))
            })?;
        }
        self.store.list(prefix, after, PAGE_ITEMS).await.map_err(|fault| self.error(fault))
    }
}
