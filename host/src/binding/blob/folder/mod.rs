//! Blobs as files: `<root>/<container>/<name>`, under exactly the names they have.
//!
//! Not `object_store`'s `LocalFileSystem`: it refuses names that end in `#` and digits, stages writes
//! under longer names, so that no name may use the 255 bytes there are, reads in two steps, and has neither conditional
//! writes nor attributes.

mod about;
mod files;
mod list;
mod lock;
#[cfg(test)]
mod tests;
mod write;

pub(super) use self::write::Writing;

use std::{
    fs::{self, File, Metadata},
    io::{self, ErrorKind, Read as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Once,
        atomic::{AtomicBool, Ordering},
    },
    time::UNIX_EPOCH,
};

use bytes::Bytes;

use self::{files::is_missing, list::Page};
use super::{
    fault::Fault,
    store::{About, Stat},
};
use crate::function::{BlobEntry, Condition};

/// One container of a folder.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    swept: Arc<Once>,
}

/// A file that is read in pieces.
#[derive(Debug)]
pub(super) struct Reading {
    // None: a read did not come back.
    file: Option<File>,
}

impl Folder {
    pub(super) fn new(root: &Path, container: &str) -> Self {
        Self { path: root.join(container), swept: Arc::new(Once::new()) }
    }

    pub(super) async fn read(
        &self,
        name: &str,
        max: u64,
    ) -> Result<Option<(Vec<u8>, Stat)>, Fault> {
        let path = self.file(name);
        blocking(move || read(&path, max)).await
    }

    pub(super) async fn open(&self, name: &str) -> Result<Option<(Stat, Reading)>, Fault> {
        let path = self.file(name);
        blocking(move || {
            let found = open(&path)?;
            Ok(found.map(|(file, stat)| (stat, Reading { file: Some(file) })))
        })
        .await
    }

    pub(super) async fn stat(&self, name: &str) -> Result<Option<(Stat, About)>, Fault> {
        let (folder, name) = (self.clone(), name.to_owned());
        blocking(move || {
            let mut found = stat(&folder.file(&name)).map_err(Fault::of_file)?;
            while let Some(version) = found {
                if let Some(about) = about::read(&folder.path, &name, &version) {
                    return Ok(Some((version, about)));
                }
                // It may have been replaced, and what was said of it with it.
                found = stat(&folder.file(&name)).map_err(Fault::of_file)?;
                if found.as_ref() == Some(&version) {
                    return Ok(Some((version, About::of_name(&name))));
                }
            }
            Ok(None)
        })
        .await
    }

    /// Replaces the file as a whole, or leaves what is there. Returns once the disk has it.
    ///
    /// A write that has begun is finished even if the caller stops waiting for it.
    pub(super) async fn write(
        &self,
        name: &str,
        bytes: Bytes,
        condition: &Condition,
        about: &About,
    ) -> Result<Option<String>, Fault> {
        let (folder, name, about) = (self.clone(), name.to_owned(), about.clone());
        let condition = condition.clone();
        blocking(move || Writing::begin(folder, name, about)?.finish(&bytes, &condition)).await
    }

    pub(super) async fn begin(&self, name: &str, about: &About) -> Result<Writing, Fault> {
        let (folder, name, about) = (self.clone(), name.to_owned(), about.clone());
        blocking(move || Writing::begin(folder, name, about)).await
    }

    pub(super) async fn delete(&self, name: &str) -> Result<(), Fault> {
        let (folder, name) = (self.clone(), name.to_owned());
        blocking(move || write::delete(&folder, &name)).await
    }

    pub(super) async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        max: usize,
    ) -> Result<Vec<BlobEntry>, Fault> {
        let (folder, prefix) = (self.path.clone(), prefix.to_owned());
        let after = after.unwrap_or_default().to_owned();
        while_awaited(move |is_stopped| {
            let page = Page { prefix: &prefix, after: &after, max };
            list::list(&folder, page, is_stopped).map_err(Fault::of_file)
        })
        .await
    }

    /// How many blobs there are, up to `max`. None: there is no folder.
    pub(super) async fn count(&self, max: usize) -> Result<Option<usize>, Fault> {
        let folder = self.path.clone();
        let is_there = blocking(move || match fs::metadata(&folder) {
            Ok(found) if found.is_dir() => Ok(true),
            Ok(_) => Err(Fault::of_file(ErrorKind::NotADirectory.into())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Fault::of_file(error)),
        });
        if !is_there.await? {
            return Ok(None);
        }
        Ok(Some(self.list("", None, max).await?.len()))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Reading {
    pub(super) async fn read(&mut self, max: usize) -> Result<Vec<u8>, Fault> {
        let Some(file) = self.file.take() else {
            let error = io::Error::other("an earlier read did not end");
            return Err(Fault::of_file(error));
        };
        let (file, bytes) = blocking(move || {
            let mut bytes = Vec::with_capacity(max);
            (&file).take(max as u64).read_to_end(&mut bytes).map_err(Fault::of_file)?;
            Ok((file, bytes))
        })
        .await?;
        self.file = Some(file);
        Ok(bytes)
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work).await.map_err(Fault::other)?
}

/// Work that is told when nobody waits for it any longer.
async fn while_awaited<T: Send + 'static>(
    work: impl FnOnce(&AtomicBool) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    struct Stop(Arc<AtomicBool>);

    impl Drop for Stop {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    let stop = Stop(Arc::default());
    let is_stopped = Arc::clone(&stop.0);
    blocking(move || work(&is_stopped)).await
}

fn read(path: &Path, max: u64) -> Result<Option<(Vec<u8>, Stat)>, Fault> {
    let Some((file, stat)) = open(path)? else { return Ok(None) };
    if stat.size > max {
        return Err(Fault::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or_default());
    // Another program may be writing to it.
    file.take(max + 1).read_to_end(&mut bytes).map_err(Fault::of_file)?;
    if bytes.len() as u64 > max {
        return Err(Fault::TooLarge);
    }
    Ok(Some((bytes, stat)))
}

/// None: no file has that name.
fn open(path: &Path) -> Result<Option<(File, Stat)>, Fault> {
    // Looked at before it is opened: opening a pipe would wait for its writer.
    if stat(path).map_err(Fault::of_file)?.is_none() {
        return Ok(None);
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(Fault::of_file(error)),
    };
    // It may have been replaced since: what is said of it is said of what is read.
    let stat = stat_of(&file.metadata().map_err(Fault::of_file)?);
    Ok(Some((file, stat)))
}

fn stat(path: &Path) -> io::Result<Option<Stat>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some(stat_of(&metadata))),
        Ok(_) => Ok(None),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The version is told by when it was written, to the nanosecond, how long it is, and which file it is: each write is
/// a new one.
fn stat_of(metadata: &Metadata) -> Stat {
    let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let size = metadata.len();
    let nanoseconds = modified.map(|since| since.as_nanos()).unwrap_or_default();
    Stat {
        size,
        etag: Some(format!("{nanoseconds:x}-{size:x}-{:x}", inode(metadata))),
        modified_ms: modified.and_then(|since| u64::try_from(since.as_millis()).ok()),
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_metadata: &Metadata) -> u64 {
    0
}
