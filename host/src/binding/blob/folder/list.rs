//! The blobs of a container in the order of their names, as every other storage has it: by bytes, `/` among them.
//!
//! Never more names are held than fit on a page, or in a batch, for each folder on the way.

use std::{
    collections::BinaryHeap,
    fs::{self, DirEntry},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    vec,
};

use super::{files::is_missing, stat_of};
use crate::{
    binding::{blob::path::check_name, segment::is_reserved},
    function::BlobEntry,
};

/// No blob has a longer name.
const MAX_NAME_BYTES: usize = 4 * 1_024;

/// How many names of a folder are held at least: one that is full of empty folders is read once for each batch.
const MIN_BATCH: usize = 1_024;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    pub(super) prefix: &'a str,
    pub(super) after: &'a str,
    pub(super) max: usize,
}

/// A folder on the way.
struct Level {
    /// Without links, so that it is known when it is come by again.
    folder: PathBuf,
    /// What the names of the blobs in it begin with.
    base: String,
    /// Names in it that are to be looked at, with `base` before and a `/` behind if they are folders.
    batch: vec::IntoIter<String>,
    /// The last of a batch that is not all there is.
    more_after: Option<String>,
}

/// At most `max` blobs whose names begin with `prefix` and come after `after`. Ends early if it is stopped.
pub(super) fn list(
    container: &Path,
    page: Page<'_>,
    is_stopped: &AtomicBool,
) -> io::Result<Vec<BlobEntry>> {
    let mut found = Vec::new();
    let container = match fs::canonicalize(container) {
        Ok(container) => container,
        // There is none.
        Err(error) if is_missing(&error) => return Ok(found),
        Err(error) => return Err(error),
    };
    let mut way = match Level::read(container, String::new(), page, is_stopped) {
        Err(error) if is_missing(&error) => return Ok(found),
        level => vec![level?],
    };
    while let Some(level) = way.last_mut() {
        if found.len() >= page.max {
            break;
        }
        let Some(key) = level.batch.next() else {
            if in_sight(level.go_on(page, is_stopped))? != Some(true) {
                way.pop();
            }
            continue;
        };
        let path = level.folder.join(&key[level.base.len()..]);
        if key.ends_with('/') {
            let Some(folder) = in_sight(fs::canonicalize(path))? else { continue };
            // A link may lead back.
            if way.iter().any(|level| level.folder == folder) {
                continue;
            }
            let level = Level::read(folder, key, page, is_stopped);
            way.extend(in_sight(level)?);
        } else if let Some(metadata) = in_sight(fs::metadata(path))?
            && metadata.is_file()
        {
            found.push(stat_of(&metadata).named(key));
        }
    }
    Ok(found)
}

impl Level {
    fn read(
        folder: PathBuf,
        base: String,
        page: Page<'_>,
        is_stopped: &AtomicBool,
    ) -> io::Result<Self> {
        let mut level =
            Self { folder, base, batch: Vec::new().into_iter(), more_after: Some(String::new()) };
        level.go_on(page, is_stopped)?;
        Ok(level)
    }

    /// Reads the next batch. False: there is none.
    fn go_on(&mut self, page: Page<'_>, is_stopped: &AtomicBool) -> io::Result<bool> {
        let Some(floor) = self.more_after.take() else { return Ok(false) };
        let max = page.max.max(MIN_BATCH);
        let mut smallest: BinaryHeap<String> = BinaryHeap::new();
        let mut is_all = true;
        for entry in fs::read_dir(&self.folder)? {
            if is_stopped.load(Ordering::Relaxed) {
                return Err(io::Error::other("nobody waits for the list any longer"));
            }
            let Some(key) = self.key(&entry?, page) else { continue };
            if key <= floor {
                continue;
            }
            smallest.push(key);
            if smallest.len() > max {
                smallest.pop();
                is_all = false;
            }
        }
        let batch = smallest.into_sorted_vec();
        self.more_after = if is_all { None } else { batch.last().cloned() };
        self.batch = batch.into_iter();
        Ok(true)
    }

    /// The name of what may be a blob of the page, or a folder with such blobs.
    fn key(&self, entry: &DirEntry, page: Page<'_>) -> Option<String> {
        // No blob of ours has a name that is not UTF-8.
        let name = entry.file_name().into_string().ok()?;
        if is_reserved(&name) || self.base.len() + name.len() > MAX_NAME_BYTES {
            return None;
        }
        let mut key = format!("{}{name}", self.base);
        let kind = entry.file_type().ok()?;
        // A link is what it leads to.
        if kind.is_dir() || (kind.is_symlink() && entry.path().is_dir()) {
            key.push('/');
            let leads_to_prefix = key.starts_with(page.prefix) || page.prefix.starts_with(&key);
            let is_over = *key < *page.after && !page.after.starts_with(&key);
            return (leads_to_prefix && !is_over).then_some(key);
        }
        // A name that no call takes could not be gone on after.
        let is_wanted = key.starts_with(page.prefix) && *key > *page.after;
        (is_wanted && check_name(&key, usize::MAX).is_ok()).then_some(key)
    }
}

/// What cannot be looked at is not there: it was deleted since, belongs to somebody else, or is a link to nowhere.
fn in_sight<T>(looked: io::Result<T>) -> io::Result<Option<T>> {
    match looked {
        Ok(found) => Ok(Some(found)),
        Err(error)
            if is_missing(&error)
                || is_circle(&error)
                || matches!(
                    error.kind(),
                    ErrorKind::PermissionDenied | ErrorKind::InvalidFilename
                ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A link that leads to itself. The standard library has no stable name for it.
#[cfg(unix)]
fn is_circle(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
fn is_circle(_error: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::atomic::AtomicBool};

    use super::{Level, MIN_BATCH, Page, list};

    #[test]
    fn a_folder_is_read_in_batches_of_its_smallest_names() {
        let container = tempfile::tempdir().unwrap();
        for n in 0..MIN_BATCH + 200 {
            fs::create_dir(container.path().join(format!("a{n:05}"))).unwrap();
        }
        for name in ["b", "c", "a00007/x", "b-"] {
            fs::write(container.path().join(name), name).unwrap();
        }
        let go_on = AtomicBool::new(false);
        let page = Page { prefix: "", after: "", max: 2 };
        let folder = container.path().canonicalize().unwrap();
        let level = Level::read(folder, String::new(), page, &go_on).unwrap();
        assert_eq!(level.batch.len(), MIN_BATCH);
        let mut found = Vec::new();
        loop {
            let after = found.last().map_or("", String::as_str);
            let page = Page { prefix: "", after, max: 2 };
            let more = list(container.path(), page, &go_on).unwrap();
            if more.is_empty() {
                break;
            }
            found.extend(more.into_iter().map(|blob| blob.name));
        }
        assert_eq!(found, ["a00007/x", "b", "b-", "c"]);
    }

    #[test]
    fn a_list_that_is_stopped_ends() {
        let container = tempfile::tempdir().unwrap();
        fs::write(container.path().join("a"), "a").unwrap();
        let page = Page { prefix: "", after: "", max: 2 };
        let error = list(container.path(), page, &AtomicBool::new(true)).unwrap_err();
        assert_eq!(error.to_string(), "nobody waits for the list any longer");
    }
}
