//! Files that are replaced as a whole: staged beside the blobs, and renamed.

use std::{
    fs::{self, FileTimes},
    io::{self, ErrorKind, Write as _},
    path::Path,
    time::SystemTime,
};

use tempfile::NamedTempFile;

use super::{
    Folder, about, blocking,
    files::{
        MAX_ATTEMPTS, create_folders, is_abandoned, is_missing, prune, remove_hollow, staged,
        sync_up,
    },
    lock::Lock,
    stat, stat_of,
};
use crate::{
    binding::{
        blob::{
            fault::Fault,
            store::{About, Stat},
        },
        segment::STAGING,
    },
    function::Condition,
};

/// A file that is written in pieces.
#[derive(Debug)]
pub(in crate::binding::blob) struct Writing {
    folder: Folder,
    name: String,
    about: About,
    // None: a write did not come back.
    staged: Option<NamedTempFile>,
}

impl Writing {
    /// Stages a file. Blocks.
    pub(super) fn begin(folder: Folder, name: String, about: About) -> Result<Self, Fault> {
        let staging = folder.path.join(STAGING);
        folder.swept.call_once(|| sweep(&folder.path));
        create_folders(&staging).map_err(Fault::of_file)?;
        let staged = staged(&staging).map_err(Fault::of_file)?;
        Ok(Self { folder, name, about, staged: Some(staged) })
    }

    pub(in crate::binding::blob) async fn write(&mut self, bytes: Vec<u8>) -> Result<(), Fault> {
        let mut staged = self.take()?;
        let staged = blocking(move || {
            staged.write_all(&bytes).map_err(Fault::of_file)?;
            Ok(staged)
        });
        self.staged = Some(staged.await?);
        Ok(())
    }

    /// Makes what was written the content of the blob.
    pub(in crate::binding::blob) async fn complete(self) -> Result<(), Fault> {
        blocking(move || self.finish(&[], &Condition::Always).map(|_| ())).await
    }

    /// The last piece, and then all of it at once; the new version. Blocks.
    pub(super) fn finish(
        mut self,
        bytes: &[u8],
        condition: &Condition,
    ) -> Result<Option<String>, Fault> {
        let mut staged = self.take()?;
        staged.write_all(bytes).map_err(Fault::of_file)?;
        persist(&self.folder, &self.name, staged, condition, &self.about)
    }

    fn take(&mut self) -> Result<NamedTempFile, Fault> {
        self.staged
            .take()
            .ok_or_else(|| Fault::of_file(io::Error::other("an earlier write failed")))
    }
}

fn persist(
    folder: &Folder,
    name: &str,
    staged: NamedTempFile,
    condition: &Condition,
    about: &About,
) -> Result<Option<String>, Fault> {
    // The clock that stamps files may stand still for milliseconds, and two versions would look alike.
    let times = FileTimes::new().set_modified(SystemTime::now());
    staged.as_file().set_times(times).map_err(Fault::of_file)?;
    staged.as_file().sync_all().map_err(Fault::of_file)?;
    let version = stat_of(&staged.as_file().metadata().map_err(Fault::of_file)?);
    let placed = about::write(&folder.path, name, about, &version)
        .map_err(Fault::of_file)
        .and_then(|()| replace(folder, name, staged, condition));
    let replaced = match placed {
        Ok(replaced) => replaced,
        Err(fault) => {
            about::remove(&folder.path, name, &version);
            return Err(fault);
        }
    };
    let path = folder.file(name);
    let parent = path.parent().expect("a blob is in a container");
    sync_up(&folder.path, parent).map_err(Fault::of_file)?;
    if let Some(replaced) = replaced {
        about::remove(&folder.path, name, &replaced);
    }
    Ok(version.etag)
}

/// Puts a file in the place of a blob, if the condition holds; the version that was there.
fn replace(
    folder: &Folder,
    name: &str,
    staged: NamedTempFile,
    condition: &Condition,
) -> Result<Option<Stat>, Fault> {
    let path = folder.file(name);
    let _lock = Lock::take(&folder.path, name)?;
    let there = stat(&path).map_err(Fault::of_file)?;
    let holds = match condition {
        Condition::Always => true,
        Condition::Absent => there.is_none(),
        Condition::Unchanged(etag) => {
            there.as_ref().is_some_and(|stat| stat.etag.as_ref() == Some(etag))
        }
    };
    if !holds {
        return Err(Fault::Conflict);
    }
    // Renaming would put the file in the place of the link, and what is below it would be gone.
    let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
    if is_link && path.is_dir() {
        return Err(Fault::of_file(ErrorKind::IsADirectory.into()));
    }
    if let Err(error) = rename(staged, &path) {
        prune(&folder.path, path.parent().expect("a blob is in a container"));
        return Err(Fault::of_file(error));
    }
    Ok(there)
}

/// Renames a file, and makes the folders that it is to be in: deletions may remove them at any time.
fn rename(mut staged: NamedTempFile, path: &Path) -> io::Result<()> {
    let parent = path.parent().expect("a blob is in a container");
    let mut n_attempts = 0;
    loop {
        let Err(error) = staged.persist(path) else { return Ok(()) };
        n_attempts += 1;
        if n_attempts > MAX_ATTEMPTS {
            return Err(error.error);
        }
        staged = error.file;
        let made_way = match error.error.kind() {
            ErrorKind::NotFound => fs::create_dir_all(parent),
            ErrorKind::IsADirectory => remove_hollow(path),
            _ => return Err(error.error),
        };
        match made_way {
            // What was there a moment ago is not, or the other way round.
            Err(raced)
                if matches!(raced.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) => {}
            Err(full) if full.kind() == ErrorKind::DirectoryNotEmpty => return Err(error.error),
            made_way => made_way?,
        }
    }
}

/// Deletes a blob, and the folders that are empty without it: their names may be those of blobs.
pub(super) fn delete(folder: &Folder, name: &str) -> Result<(), Fault> {
    let path = folder.file(name);
    if stat(&path).map_err(Fault::of_file)?.is_none() {
        return Ok(());
    }
    let lock = Lock::take(&folder.path, name)?;
    let Some(there) = stat(&path).map_err(Fault::of_file)? else { return Ok(()) };
    match fs::remove_file(&path) {
        Err(error) if !is_missing(&error) => return Err(Fault::of_file(error)),
        _ => {}
    }
    drop(lock);
    let parent = path.parent().expect("a blob is in a container");
    prune(&folder.path, parent);
    sync_up(&folder.path, parent).map_err(Fault::of_file)?;
    about::remove(&folder.path, name, &there);
    Ok(())
}

/// Removes what hosts that were killed left.
fn sweep(container: &Path) {
    for entry in fs::read_dir(container.join(STAGING)).into_iter().flatten().flatten() {
        if is_abandoned(&entry) {
            // Another host may have been faster; a file that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
    about::sweep(container);
}
