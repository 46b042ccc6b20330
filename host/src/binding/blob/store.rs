//! One container of one connection, whatever keeps it.

use std::{io, panic::AssertUnwindSafe, sync::Arc};

use bytes::Bytes;
use futures_util::FutureExt as _;

use super::{
    fault::Fault,
    folder::{self, Folder},
    object::{self, Object},
};
use crate::{
    function::{BlobEntry, BlobPage, Condition},
    media_type,
};

/// The longest name that common file systems take.
const MAX_FILE_NAME_BYTES: usize = 255;

/// One container of one connection.
#[derive(Debug)]
pub(super) enum Store {
    /// Files.
    Folder(Folder),
    /// Anything else.
    Object(Arc<Object>),
}

/// What is said about a blob beside its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct About {
    /// The media type.
    pub(super) content_type: Option<String>,
    /// Names and values.
    pub(super) metadata: Vec<(String, String)>,
}

/// What a storage knows of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) size: u64,
    pub(super) etag: Option<String>,
    pub(super) modified_ms: Option<u64>,
}

/// A blob that is read in pieces.
#[derive(Debug)]
pub(super) enum Reading {
    Folder(folder::Reading),
    Object(object::Reading),
}

/// A blob that is written in pieces.
#[derive(Debug)]
pub(super) enum Writing {
    Folder(folder::Writing),
    Object(object::Writing),
}

impl Store {
    /// The longest segment of a name, in bytes.
    pub(super) fn max_segment(&self) -> usize {
        match self {
            Self::Folder(_) => MAX_FILE_NAME_BYTES,
            Self::Object(_) => usize::MAX,
        }
    }

    /// The whole of a blob, up to `max` bytes. None: there is no such blob, or no such container.
    pub(super) async fn read(
        &self,
        name: &str,
        max: u64,
    ) -> Result<Option<(Vec<u8>, Stat)>, Fault> {
        caught(async {
            match self {
                Self::Folder(folder) => folder.read(name, max).await,
                Self::Object(object) => object.read(name, max).await,
            }
        })
        .await
    }

    /// Opens a blob to be read in pieces.
    pub(super) async fn open(&self, name: &str) -> Result<Option<(Stat, Reading)>, Fault> {
        caught(async {
            match self {
                Self::Folder(folder) => {
                    let found = folder.open(name).await?;
                    Ok(found.map(|(stat, reading)| (stat, Reading::Folder(reading))))
                }
                Self::Object(object) => {
                    let found = object.open(name).await?;
                    Ok(found.map(|(stat, reading)| (stat, Reading::Object(reading))))
                }
            }
        })
        .await
    }

    /// What is known and said of a blob.
    pub(super) async fn stat(&self, name: &str) -> Result<Option<(Stat, About)>, Fault> {
        caught(async {
            match self {
                Self::Folder(folder) => folder.stat(name).await,
                Self::Object(object) => object.stat(name).await,
            }
        })
        .await
    }

    /// Replaces the blob as a whole, and makes the container if it is missing; the new version tag.
    pub(super) async fn write(
        &self,
        name: &str,
        bytes: Bytes,
        condition: &Condition,
        about: &About,
    ) -> Result<Option<String>, Fault> {
        caught(async {
            match self {
                Self::Folder(folder) => folder.write(name, bytes, condition, about).await,
                Self::Object(object) => object.write(name, bytes, condition, about).await,
            }
        })
        .await
    }

    /// Begins a blob that is written in pieces.
    pub(super) async fn begin(&self, name: &str, about: &About) -> Result<Writing, Fault> {
        caught(async {
            match self {
                Self::Folder(folder) => folder.begin(name, about).await.map(Writing::Folder),
                Self::Object(object) => {
                    Arc::clone(object).begin(name, about).await.map(Writing::Object)
                }
            }
        })
        .await
    }

    /// Deletes a blob, if it is there.
    pub(super) async fn delete(&self, name: &str) -> Result<(), Fault> {
        caught(async {
            match self {
                Self::Folder(folder) => folder.delete(name).await,
                Self::Object(object) => object.delete(name).await,
            }
        })
        .await
    }

    /// The blobs whose names begin with `prefix`, in the order of their names, after `after`: at most `max` of them.
    pub(super) async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        max: usize,
    ) -> Result<BlobPage, Fault> {
        let mut found = caught(async {
            match self {
                Self::Folder(folder) => folder.list(prefix, after, max + 1).await,
                Self::Object(object) => object.list(prefix, after, max + 1).await,
            }
        })
        .await?;
        let is_last = found.len() <= max;
        found.truncate(max);
        let next = if is_last { None } else { found.last().map(|blob| blob.name.clone()) };
        Ok(BlobPage { items: found, next })
    }

    /// How many blobs there are, up to `max`. None: there is no container.
    pub(super) async fn count(&self, max: usize) -> Result<Option<usize>, Fault> {
        caught(async {
            match self {
                Self::Folder(folder) => folder.count(max).await,
                Self::Object(object) => object.count(max).await,
            }
        })
        .await
    }

    /// Whether a container that is missing is made when it is written to.
    pub(super) fn is_made(&self) -> bool {
        match self {
            Self::Folder(_) => true,
            Self::Object(object) => object.is_made(),
        }
    }
}

/// A library that panics ends what was asked of it, and not the call: the values of settings can be such that it does.
async fn caught<T>(work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| {
        Err(Fault::other(io::Error::other("the library that speaks to it gave up in a panic")))
    })
}

impl About {
    /// What is said where nothing is declared: the media type, by the ending of the name.
    pub(super) fn of_name(name: &str) -> Self {
        let content_type = media_type::by_ending(name).map(str::to_owned);
        Self { content_type, metadata: Vec::new() }
    }
}

impl Stat {
    /// It with the name of its blob.
    pub(super) fn named(self, name: String) -> BlobEntry {
        let Self { size, etag, modified_ms } = self;
        BlobEntry { name, size, etag, modified_ms }
    }
}

impl Reading {
    /// At most so many bytes; none at the end.
    pub(super) async fn read(&mut self, max: usize) -> Result<Vec<u8>, Fault> {
        caught(async {
            match self {
                Self::Folder(reading) => reading.read(max).await,
                Self::Object(reading) => reading.read(max).await,
            }
        })
        .await
    }
}

impl Writing {
    /// Appends a piece.
    pub(super) async fn write(&mut self, bytes: Vec<u8>) -> Result<(), Fault> {
        caught(async {
            match self {
                Self::Folder(writing) => writing.write(bytes).await,
                Self::Object(writing) => writing.write(&bytes).await,
            }
        })
        .await
    }

    /// Makes it the content of the blob.
    pub(super) async fn complete(self) -> Result<(), Fault> {
        caught(async {
            match self {
                Self::Folder(writing) => writing.complete().await,
                Self::Object(writing) => writing.complete().await.map(|_| ()),
            }
        })
        .await
    }
}
