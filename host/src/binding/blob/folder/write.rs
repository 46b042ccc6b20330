//! Files that are replaced as a whole: staged beside the blobs, and renamed.

use std::{
    fs::{self, File, FileTimes},
    io::{self, ErrorKind, Write as _},
    path::Path,
    time::{Duration, SystemTime},
};

use tempfile::NamedTempFile;

use super::{Folder, about, blocking, lock::Lock, stat, stat_of};
use crate::{
    binding::{
        blob::{fault::Fault, store::About},
        segment::STAGING,
    },
    function::Condition,
};

/// What is still staged after this long was left by a host that was killed.
const ABANDONED: Duration = Duration::from_hours(1);

/// How often a folder is made again that another deletion removed in between.
const MAX_ATTEMPTS: usize = 16;

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
        folder.swept.call_once(|| sweep(&staging));
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
    mut staged: NamedTempFile,
    condition: &Condition,
    about: &About,
) -> Result<Option<String>, Fault> {
    let path = folder.file(name);
    let parent = path.parent().expect("a blob is in a container");
    // The clock that stamps files may stand still for milliseconds, and two versions would look alike.
    let times = FileTimes::new().set_modified(SystemTime::now());
    staged.as_file().set_times(times).map_err(Fault::of_file)?;
    staged.as_file().sync_all().map_err(Fault::of_file)?;
    let version = stat_of(&staged.as_file().metadata().map_err(Fault::of_file)?);
    let lock = Lock::take(&folder.path, name)?;
    let there = stat(&path).map_err(Fault::of_file)?;
    let holds = match condition {
        Condition::Always => true,
        Condition::Absent => there.is_none(),
        Condition::Unchanged(etag) => there.is_some_and(|stat| stat.etag.as_ref() == Some(etag)),
    };
    if !holds {
        return Err(Fault::Conflict);
    }
    about::write(&folder.path, name, about, &version).map_err(Fault::of_file)?;
    let mut n_attempts = 0;
    loop {
        create_folders(parent).map_err(Fault::of_file)?;
        match staged.persist(&path) {
            Ok(_) => break,
            Err(error)
                if error.error.kind() == ErrorKind::NotFound && n_attempts < MAX_ATTEMPTS =>
            {
                n_attempts += 1;
                staged = error.file;
            }
            Err(error) => return Err(Fault::of_file(error.error)),
        }
    }
    drop(lock);
    sync_folder(parent).map_err(Fault::of_file)?;
    Ok(version.etag)
}

/// Deletes a blob, and the folders that are empty without it: their names may be those of blobs.
pub(super) fn delete(folder: &Folder, name: &str) -> Result<(), Fault> {
    let path = folder.file(name);
    if stat(&path).map_err(Fault::of_file)?.is_none() {
        return Ok(());
    }
    let _lock = Lock::take(&folder.path, name)?;
    match fs::remove_file(&path) {
        Err(error) if !super::is_missing(&error) => return Err(Fault::of_file(error)),
        _ => {}
    }
    about::remove(&folder.path, name).map_err(Fault::of_file)?;
    let parents = path.ancestors().skip(1).take_while(|parent| *parent != folder.path);
    let mut last = path.parent().expect("a blob is in a container");
    for parent in parents {
        // One that is not empty stays.
        if fs::remove_dir(parent).is_err() {
            break;
        }
        last = parent.parent().expect("it is in the container");
    }
    match sync_folder(last) {
        Err(error) if !super::is_missing(&error) => Err(Fault::of_file(error)),
        _ => Ok(()),
    }
}

/// Removes what hosts that were killed left half written.
fn sweep(staging: &Path) {
    for entry in fs::read_dir(staging).into_iter().flatten().flatten() {
        let age =
            entry.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        if age.is_some_and(|age| age > ABANDONED) {
            // Another host may have been faster; a file that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file in the container, so that renaming it does not cross a file system, and apart from all blobs.
pub(super) fn staged(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file, the umask has the last word; the crate's own default is 0600.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// A new folder is on disk once the folder that lists it is.
pub(super) fn create_folders(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|path| !path.is_dir()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    missing.iter().filter_map(|path| path.parent()).try_for_each(sync_folder)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(()) // Windows has no way to open a folder for this.
}
