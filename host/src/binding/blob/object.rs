//! One container on `object_store`: Azure, S3, Google, memory.

use std::{
    fmt::{self, Debug, Formatter},
    io,
    sync::Arc,
};

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt as _, TryStreamExt as _, stream::BoxStream};
use object_store::{
    Attribute, AttributeValue, Attributes, Error, GetOptions, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt as _, PutMode, PutMultipartOptions, PutOptions, PutResult,
    UpdateVersion, path::Path,
};

use super::{
    fault::{self, Fault},
    path::check_name,
    store::{About, Stat},
};
use crate::function::{BlobEntry, Condition};

/// One container.
pub(super) struct Object {
    /// The store, which may have several containers.
    pub(super) store: Arc<dyn ObjectStore>,
    /// The folder of the store that is this container; none where it is the store's own.
    pub(super) folder: Option<String>,
    /// The most that one request carries.
    pub(super) block_bytes: usize,
    /// How it tells one version of a blob from another.
    pub(super) versions: Versions,
    /// Makes the container if it is missing, where that can be done.
    pub(super) maker: Option<Box<dyn MakeContainer>>,
}

/// What tells one version of a blob from another, and is what a write can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Versions {
    /// The `ETag`.
    Etags,
    /// A number, which Google has instead.
    Generations,
}

/// Makes a container, which `object_store` does not.
#[async_trait]
pub(super) trait MakeContainer: Debug + Send + Sync {
    /// Makes it; another host may have been faster.
    async fn make(&self) -> Result<(), Fault>;
}

/// A blob that is read in pieces.
pub(super) struct Reading {
    stream: BoxStream<'static, object_store::Result<Bytes>>,
    rest: Bytes,
}

/// A blob that is written in pieces.
pub(super) struct Writing {
    object: Arc<Object>,
    path: Path,
    about: About,
    // None: it is over.
    upload: Option<Box<dyn MultipartUpload>>,
    block: BytesMut,
    n_sent: usize,
    /// A part is under way, or was given up or refused: without it the whole is not the whole.
    lacks_part: bool,
}

impl Versions {
    fn stat(self, meta: &ObjectMeta) -> Stat {
        let etag = match self {
            Self::Etags => &meta.e_tag,
            Self::Generations => &meta.version,
        };
        Stat {
            size: meta.size,
            etag: etag.clone(),
            modified_ms: u64::try_from(meta.last_modified.timestamp_millis()).ok(),
        }
    }

    /// What a write replaces.
    fn unchanged(self, version: &str) -> PutMode {
        let version = Some(version.to_owned());
        PutMode::Update(match self {
            Self::Etags => UpdateVersion { e_tag: version, version: None },
            Self::Generations => UpdateVersion { e_tag: None, version },
        })
    }

    fn written(self, put: PutResult) -> Option<String> {
        match self {
            Self::Etags => put.e_tag,
            Self::Generations => put.version,
        }
    }
}

impl Debug for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Stores show their keys, and memory its blobs.
        f.debug_struct("Object").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Object {
    pub(super) async fn read(
        &self,
        name: &str,
        max: u64,
    ) -> Result<Option<(Vec<u8>, Stat)>, Fault> {
        let Some((stat, mut reading)) = self.open(name).await? else { return Ok(None) };
        if stat.size > max {
            return Err(Fault::TooLarge);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or_default());
        while let Some(piece) = reading.stream.try_next().await.map_err(Fault::of_store)? {
            bytes.extend_from_slice(&piece);
        }
        Ok(Some((bytes, stat)))
    }

    pub(super) async fn open(&self, name: &str) -> Result<Option<(Stat, Reading)>, Fault> {
        match self.store.get(&self.path(name)?).await {
            Ok(found) => {
                let stat = self.versions.stat(&found.meta);
                Ok(Some((stat, Reading { stream: found.into_stream(), rest: Bytes::new() })))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Fault::of_store(error)),
        }
    }

    pub(super) async fn stat(&self, name: &str) -> Result<Option<(Stat, About)>, Fault> {
        let options = GetOptions { head: true, ..GetOptions::default() };
        match self.store.get_opts(&self.path(name)?, options).await {
            Ok(found) => Ok(Some((self.versions.stat(&found.meta), about(&found.attributes)))),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(Fault::of_store(error)),
        }
    }

    pub(super) async fn write(
        self: &Arc<Self>,
        name: &str,
        bytes: Bytes,
        condition: &Condition,
        about: &About,
    ) -> Result<Option<String>, Fault> {
        // A condition can be put to one request only, however large.
        if bytes.len() > self.block_bytes && *condition == Condition::Always {
            return self.write_parts(name, &bytes, about).await;
        }
        let path = self.path(name)?;
        match self.put(&path, &bytes, condition, about).await {
            Err(error) if self.must_be_made(&error).await? => {
                self.put(&path, &bytes, condition, about).await.map_err(Fault::of_store)
            }
            // What was to be replaced is not there.
            Err(Error::NotFound { .. }) if matches!(condition, Condition::Unchanged(_)) => {
                Err(Fault::Conflict)
            }
            done => done.map_err(not_written),
        }
    }

    /// Replaces the blob in one request.
    async fn put(
        &self,
        path: &Path,
        bytes: &Bytes,
        condition: &Condition,
        about: &About,
    ) -> object_store::Result<Option<String>> {
        let mode = match condition {
            Condition::Always => PutMode::Overwrite,
            Condition::Absent => PutMode::Create,
            Condition::Unchanged(version) => self.versions.unchanged(version),
        };
        let options = PutOptions { mode, attributes: attributes(about), ..PutOptions::default() };
        let put = self.store.put_opts(path, bytes.clone().into(), options).await?;
        Ok(self.versions.written(put))
    }

    /// Replaces the blob in several requests: parts are nothing to readers until the last one lists them.
    async fn write_parts(
        self: &Arc<Self>,
        name: &str,
        bytes: &Bytes,
        about: &About,
    ) -> Result<Option<String>, Fault> {
        let mut writing = Arc::clone(self).begin(name, about).await?;
        for start in (0..bytes.len()).step_by(self.block_bytes) {
            let end = bytes.len().min(start + self.block_bytes);
            // One after another: parts side by side would share a slow line.
            writing.send(bytes.slice(start..end)).await?;
        }
        writing.complete().await
    }

    async fn put_multipart(
        &self,
        path: &Path,
        about: &About,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        let options =
            PutMultipartOptions { attributes: attributes(about), ..PutMultipartOptions::default() };
        self.store.put_multipart_opts(path, options).await
    }

    pub(super) async fn begin(
        self: Arc<Self>,
        name: &str,
        about: &About,
    ) -> Result<Writing, Fault> {
        let path = self.path(name)?;
        let upload = match self.put_multipart(&path, about).await {
            Err(error) if self.must_be_made(&error).await? => {
                self.put_multipart(&path, about).await
            }
            begun => begun,
        };
        let upload = Some(upload.map_err(not_written)?);
        let block = BytesMut::new();
        let about = about.clone();
        Ok(Writing { object: self, path, about, upload, block, n_sent: 0, lacks_part: false })
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), Fault> {
        match self.store.delete(&self.path(name)?).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(Fault::of_store(error)),
        }
    }

    /// `object_store` lists folders, so the folder of the prefix is listed, and what is not of the prefix left out.
    pub(super) async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        max: usize,
    ) -> Result<Vec<BlobEntry>, Fault> {
        let root = self.folder.as_ref().map_or_else(String::new, |folder| format!("{folder}/"));
        let folder = prefix.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folder = format!("{root}{folder}");
        let folder = match folder.trim_end_matches('/') {
            "" => None,
            folder => Some(path(folder)?),
        };
        // All that begins with the prefix comes after the prefix without its last character.
        let before = prefix.char_indices().next_back().map_or("", |(last, _)| &prefix[..last]);
        let start = after.unwrap_or_default().max(before);
        // Half a name can be what no name may be, such as `..`; then the list begins at its beginning.
        let mut list = match Path::parse(format!("{root}{start}")) {
            Ok(offset) if !offset.as_ref().is_empty() => {
                self.store.list_with_offset(folder.as_ref(), &offset)
            }
            _ => self.store.list(folder.as_ref()),
        };
        let mut found = Vec::new();
        loop {
            let meta = match list.next().await {
                None => break,
                // Without a container there is nothing in it.
                Some(Err(error)) if fault::is_not_found(&error) => break,
                Some(Err(error)) => return Err(Fault::of_store(error)),
                Some(Ok(meta)) => meta,
            };
            let Some(name) = meta.location.as_ref().strip_prefix(&root) else { continue };
            if name > prefix && !name.starts_with(prefix) {
                break;
            }
            // A name that no call takes could not be gone on after.
            let is_wanted = name.starts_with(prefix) && after.is_none_or(|after| name > after);
            if is_wanted && check_name(name, usize::MAX).is_ok() {
                found.push(self.versions.stat(&meta).named(name.to_owned()));
                if found.len() == max {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// How many blobs there are, up to `max`. None: there is no container.
    pub(super) async fn count(&self, max: usize) -> Result<Option<usize>, Fault> {
        let folder = self.folder.as_deref().map(path).transpose()?;
        let mut list = self.store.list(folder.as_ref()).take(max);
        let mut n_found = 0;
        while let Some(found) = list.next().await {
            match found {
                Ok(_) => n_found += 1,
                Err(error) if fault::is_not_found(&error) => return Ok(None),
                Err(error) => return Err(Fault::of_store(error)),
            }
        }
        Ok(Some(n_found))
    }

    /// Whether a container that is missing is made when it is written to.
    pub(super) fn is_made(&self) -> bool {
        self.maker.is_some()
    }

    /// Whether the container was missing, and is there now.
    async fn must_be_made(&self, error: &Error) -> Result<bool, Fault> {
        match (error, &self.maker) {
            (Error::NotFound { .. }, Some(maker)) => maker.make().await.map(|()| true),
            _ => Ok(false),
        }
    }

    fn path(&self, name: &str) -> Result<Path, Fault> {
        match &self.folder {
            None => path(name),
            Some(folder) => path(&format!("{folder}/{name}")),
        }
    }
}

impl Reading {
    pub(super) async fn read(&mut self, max: usize) -> Result<Vec<u8>, Fault> {
        while self.rest.is_empty() {
            match self.stream.try_next().await.map_err(Fault::of_store)? {
                None => return Ok(Vec::new()),
                Some(piece) => self.rest = piece,
            }
        }
        Ok(self.rest.split_to(self.rest.len().min(max)).into())
    }
}

impl Debug for Reading {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").finish_non_exhaustive()
    }
}

impl Debug for Writing {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // As a store, an upload shows its keys.
        f.debug_struct("Writing").field("object", &self.object).finish_non_exhaustive()
    }
}

impl Writing {
    pub(super) async fn write(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let block_bytes = self.object.block_bytes;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (fits, more) = rest.split_at(rest.len().min(block_bytes - self.block.len()));
            self.block.extend_from_slice(fits);
            rest = more;
            if self.block.len() == block_bytes {
                let block = self.block.split().freeze();
                self.send(block).await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, block: Bytes) -> Result<(), Fault> {
        self.lacks_part = true;
        let done = self.upload().put_part(block.clone().into()).await;
        match done {
            // Azure is asked for the first time here.
            Err(error) if self.n_sent == 0 && self.object.must_be_made(&error).await? => {
                let again = self.object.put_multipart(&self.path, &self.about).await;
                self.upload = Some(again.map_err(not_written)?);
                self.upload().put_part(block.into()).await
            }
            done => done,
        }
        .map_err(not_written)?;
        self.n_sent += 1;
        self.lacks_part = false;
        Ok(())
    }

    fn upload(&mut self) -> &mut dyn MultipartUpload {
        &mut **self.upload.as_mut().expect("it is taken only when it is over")
    }

    /// Makes all of it the blob; the new version.
    pub(super) async fn complete(mut self) -> Result<Option<String>, Fault> {
        if self.lacks_part {
            return Err(Fault::other(io::Error::other("a part of it was not sent")));
        }
        // Also where nothing was written: S3 wants a part.
        if !self.block.is_empty() || self.n_sent == 0 {
            let block = self.block.split().freeze();
            self.send(block).await?;
        }
        // In place, so that it is taken back if nobody waits for the end of it.
        let put = self.upload().complete().await.map_err(Fault::of_store)?;
        self.upload = None;
        Ok(self.object.versions.written(put))
    }
}

impl Drop for Writing {
    /// The parts of an upload that nobody ends cost money for ever. Nobody waits for this: where the host stops
    /// first, they stay, as they do when it is killed.
    fn drop(&mut self) {
        let upload = self.upload.take();
        if upload.is_some()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(abort(upload));
        }
    }
}

async fn abort(upload: Option<Box<dyn MultipartUpload>>) {
    if let Some(mut upload) = upload
        && let Err(error) = upload.abort().await
    {
        tracing::warn!("an upload could not be taken back, and its parts stay: {error}");
    }
}

/// What is missing when a write finds nothing is the container.
fn not_written(error: Error) -> Fault {
    match error {
        Error::NotFound { .. } => Fault::missing(error),
        error => Fault::of_store(error),
    }
}

/// `Path::parse` keeps a name as it is; `Path::from` would encode it.
fn path(name: &str) -> Result<Path, Fault> {
    Path::parse(name).map_err(Fault::other)
}

fn about(attributes: &Attributes) -> About {
    let mut about = About::default();
    for (attribute, value) in attributes {
        match attribute {
            Attribute::ContentType => about.content_type = Some(value.to_string()),
            Attribute::Metadata(name) => about.metadata.push((name.to_string(), value.to_string())),
            _ => {}
        }
    }
    about
}

fn attributes(about: &About) -> Attributes {
    let mut attributes = Attributes::new();
    if let Some(content_type) = &about.content_type {
        attributes.insert(Attribute::ContentType, AttributeValue::from(content_type.clone()));
    }
    for (name, value) in &about.metadata {
        let key = Attribute::Metadata(name.clone().into());
        attributes.insert(key, AttributeValue::from(value.clone()));
    }
    attributes
}
