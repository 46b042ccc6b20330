//! Files and folders, and when the disk has them.

use std::{
    fs::{self, DirEntry, File},
    io::{self, ErrorKind},
    path::Path,
    time::Duration,
};

use tempfile::NamedTempFile;

/// What is still staged after this long was left by a host that was killed.
const ABANDONED: Duration = Duration::from_hours(1);

/// How often a folder is made again that another deletion removed in between.
pub(super) const MAX_ATTEMPTS: usize = 64;

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

/// Whether nobody can be about to use a file that was staged.
pub(super) fn is_abandoned(entry: &DirEntry) -> bool {
    let age = entry.metadata().ok().and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
    age.is_some_and(|age| age > ABANDONED)
}

/// Makes a folder that no deletion removes, and those it is in. Returns once the disk has them.
pub(super) fn create_folders(folder: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|path| !path.is_dir()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    missing.iter().filter_map(|path| path.parent()).try_for_each(sync_folder)
}

/// Returns once the disk has what was renamed into or removed from a folder, with the folders up to the container:
/// another writer may just have made them.
///
/// A folder that was removed in the meantime was empty, and the one above it says so.
pub(super) fn sync_up(container: &Path, folder: &Path) -> io::Result<()> {
    for folder in folder.ancestors() {
        match sync_folder(folder) {
            Err(error) if !is_missing(&error) => return Err(error),
            _ => {}
        }
        if folder == container {
            break;
        }
    }
    Ok(())
}

/// Removes the folders that are empty, from this one up to the container: their names may be those of blobs.
pub(super) fn prune(container: &Path, folder: &Path) {
    for folder in folder.ancestors().take_while(|folder| *folder != container) {
        // One that is not empty stays.
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

/// Removes a folder if there are but folders in it, as a host that was killed between two steps leaves them.
pub(super) fn remove_hollow(folder: &Path) -> io::Result<()> {
    if !is_hollow(folder)? {
        return Err(ErrorKind::DirectoryNotEmpty.into());
    }
    for entry in fs::read_dir(folder)? {
        remove_hollow(&entry?.path())?;
    }
    fs::remove_dir(folder)
}

fn is_hollow(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() || !is_hollow(&entry.path())? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(()) // Windows has no way to open a folder for this.
}

/// A file in the place of a folder leaves nothing under it to be found.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
