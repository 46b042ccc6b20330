//! What a guest reads and writes itself while it runs: bindings in pieces, and containers that it was granted.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;

/// What one invocation may reach. The host makes it only for functions that declare a stream or a container.
#[async_trait]
pub trait Storage: Debug + Send + Sync {
    /// Opens an input that is declared as a stream, once.
    async fn open(&self, input: &str) -> Result<Box<dyn Source>, StorageError>;

    /// Begins an output that is declared as a stream, once. It is kept if the invocation succeeds.
    async fn create(&self, output: &str) -> Result<Arc<dyn Sink>, StorageError>;

    /// A container that was granted.
    fn container(&self, name: &str) -> Result<Arc<dyn Container>, StorageError>;
}

/// The content of an input, in pieces.
#[async_trait]
pub trait Source: Debug + Send {
    /// The size in bytes, when it is known.
    fn size(&self) -> Option<u64>;

    /// At most so many bytes; none at the end.
    async fn read(&mut self, max: usize) -> Result<Vec<u8>, StorageError>;
}

/// The content of an output, in pieces.
#[async_trait]
pub trait Sink: Debug + Send + Sync {
    /// Appends a piece.
    async fn write(&self, bytes: Vec<u8>) -> Result<(), StorageError>;
}

/// A container of blobs.
#[async_trait]
pub trait Container: Debug + Send + Sync {
    /// The whole content of a blob.
    async fn get(&self, name: &str) -> Result<Vec<u8>, StorageError>;

    /// Writes a blob as a whole; its new version tag.
    async fn put(
        &self,
        name: &str,
        bytes: Vec<u8>,
        condition: Condition,
    ) -> Result<Option<String>, StorageError>;

    /// Deletes a blob; one that is not there is no error.
    async fn delete(&self, name: &str) -> Result<(), StorageError>;

    /// What is known and said about a blob.
    async fn stat(&self, name: &str) -> Result<BlobDetails, StorageError>;

    /// The blobs whose names begin with `prefix`, in the order of their names, after the one named `after`.
    async fn list(&self, prefix: &str, after: Option<&str>) -> Result<BlobPage, StorageError>;
}

/// When a blob is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Whatever is there.
    Always,
    /// Only where there is no blob of that name.
    Absent,
    /// Only while the blob has this version tag.
    Unchanged(String),
}

/// What a storage knows about a blob without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobEntry {
    /// The name in the container.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// The version tag.
    pub etag: Option<String>,
    /// Milliseconds since 1970 of the last write.
    pub modified_ms: Option<u64>,
}

/// What is said about a blob beside its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobDetails {
    /// What the storage knows.
    pub entry: BlobEntry,
    /// The media type.
    pub content_type: Option<String>,
    /// Names and values that its writer gave it.
    pub metadata: Vec<(String, String)>,
}

/// One page of a list of blobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlobPage {
    /// The blobs of this page.
    pub items: Vec<BlobEntry>,
    /// After which name the next page begins, if there is one.
    pub next: Option<String>,
}

/// Why a guest did not get what it asked for. The texts are public: no secret, no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageError {
    /// There is no such blob.
    NotFound,
    /// Not declared, or not granted.
    Denied,
    /// A condition did not hold.
    Conflict,
    /// Over a limit of the host.
    TooLarge,
    /// Anything else.
    Other(String),
}
