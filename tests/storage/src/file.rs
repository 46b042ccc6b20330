//! One file: content, then what is known of it as JSON, then the length of that in 4 bytes.
//!
//! So content and attributes come into place by one rename, or not at all.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::SystemTime,
};

use futures_util::StreamExt as _;
use s3s::{
    Body, S3Error, S3ErrorCode, S3Result,
    crypto::{Checksum as _, Md5},
    dto::{ETag, ETagCondition, StreamingBlob, Timestamp},
};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt as _;

/// What is known of content.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct About {
    pub(crate) key: String,
    pub(crate) content_type: Option<String>,
    pub(crate) metadata: Option<HashMap<String, String>>,
    pub(crate) etag: String,
    pub(crate) size: u64,
    #[serde(skip)]
    pub(crate) put: Option<SystemTime>,
}

/// A file that is being written, and is removed unless it is put in place.
#[derive(Debug)]
pub(crate) struct Staged {
    path: PathBuf,
    file: File,
}

impl About {
    /// As HTTP has it.
    pub(crate) fn etag(&self) -> ETag {
        ETag::Strong(self.etag.clone())
    }

    /// Whether a condition names this content, or any.
    pub(crate) fn fits(&self, condition: &ETagCondition) -> bool {
        condition.as_etag().is_none_or(|etag| self.etag().strong_cmp(etag))
    }

    /// When it was put in place.
    pub(crate) fn modified(&self) -> Option<Timestamp> {
        self.put.map(Timestamp::from)
    }

    /// Reads it from the end of a file, which is then at its beginning.
    pub(crate) fn read(file: &mut File) -> io::Result<Self> {
        let mut length = [0; 4];
        file.seek(SeekFrom::End(-4))?;
        file.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length);
        file.seek(SeekFrom::End(-4 - i64::from(length)))?;
        let mut json = String::new();
        file.take(length.into()).read_to_string(&mut json)?;
        let mut about: Self = serde_json::from_str(&json)?;
        about.put = Some(file.metadata()?.modified()?);
        file.rewind()?;
        Ok(about)
    }
}

impl Staged {
    /// An empty file in a folder.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let path = folder.join(COUNT.fetch_add(1, Ordering::Relaxed).to_string());
        let file = File::create_new(&path)?;
        Ok(Self { path, file })
    }

    /// A file with the content that a client sends, to its end; its `ETag` and size are filled in.
    pub(crate) async fn receive(
        folder: &Path,
        content: Option<StreamingBlob>,
        mut about: About,
    ) -> S3Result<(Self, About)> {
        let staged = Self::new(folder).map_err(S3Error::internal_error)?;
        let file = staged.file.try_clone().map_err(S3Error::internal_error)?;
        let mut file = tokio::fs::File::from_std(file);
        let mut md5 = Md5::new();
        let mut content = content.unwrap_or_else(|| Body::empty().into());
        while let Some(bytes) = content.next().await {
            // It also ends so where it is not what was signed.
            let bytes =
                bytes.map_err(|error| S3Error::with_source(S3ErrorCode::IncompleteBody, error))?;
            md5.update(&bytes);
            about.size += bytes.len() as u64;
            file.write_all(&bytes).await.map_err(S3Error::internal_error)?;
        }
        file.flush().await.map_err(S3Error::internal_error)?;
        about.etag = hex(&md5.finalize());
        Ok((staged, about))
    }

    /// Appends the content of another file.
    pub(crate) fn append(&mut self, from: &mut File, size: u64) -> io::Result<()> {
        let copied = io::copy(&mut from.take(size), &mut self.file)?;
        if copied == size { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Puts it in place, in one step, with what is known of it.
    pub(crate) fn put(mut self, place: &Path, about: &mut About) -> io::Result<()> {
        let json = serde_json::to_vec(about)?;
        let length = u32::try_from(json.len()).map_err(io::Error::other)?;
        self.file.write_all(&json)?;
        self.file.write_all(&length.to_le_bytes())?;
        let now = SystemTime::now();
        self.file.set_modified(now)?;
        about.put = Some(now);
        fs::rename(&self.path, place)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // It is not there where it was put in place.
        let _ = fs::remove_file(&self.path);
    }
}

/// Bytes as S3 writes digests.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}
