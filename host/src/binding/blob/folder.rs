//! Blobs as files: `<root>/<container>/<name>`, under exactly the names they have.
//!
//! Not `object_store`'s `LocalFileSystem`: it refuses names that end in `#` and digits, stages writes
//! under longer names, so that no name may use the 255 bytes there are, and reads in two steps.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Once},
    time::Duration,
};

use super::fault::{Fault, MAX_BLOB_BYTES};
use crate::binding::segment::STAGING;

/// What is still staged after this long was left by a host that was killed.
const ABANDONED: Duration = Duration::from_hours(1);

/// One container of a folder.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
    swept: Arc<Once>,
}

impl Folder {
    pub(super) fn new(root: &Path, container: &str) -> Self {
        Self { path: root.join(container), swept: Arc::new(Once::new()) }
    }

    /// None: no file has that name.
    pub(super) async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        let path = self.file(name);
        blocking(move || read(&path)).await
    }

    /// Replaces the file as a whole, or leaves what is there. Returns once the disk has it.
    ///
    /// A write that has begun is finished even if the caller stops waiting for it.
    pub(super) async fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let (path, staging) = (self.file(name), self.file(STAGING));
        let (bytes, swept) = (bytes.to_vec(), Arc::clone(&self.swept));
        blocking(move || {
            swept.call_once(|| sweep(&staging));
            write(&staging, &path, &bytes).map_err(Fault::storage)
        })
        .await
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work).await.map_err(Fault::storage)?
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    // Looked at before it is opened: opening a pipe would wait for its writer.
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(Fault::storage(error)),
    };
    if !metadata.is_file() {
        return Ok(None);
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(Fault::storage(error)),
    };
    if metadata.len() > MAX_BLOB_BYTES {
        return Err(Fault::TooLarge);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // The file may have been replaced by a longer one since.
    file.take(MAX_BLOB_BYTES + 1).read_to_end(&mut bytes).map_err(Fault::storage)?;
    if bytes.len() as u64 > MAX_BLOB_BYTES {
        return Err(Fault::TooLarge);
    }
    Ok(Some(bytes))
}

/// A file in the place of a folder leaves nothing under it to be found.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn write(staging: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().expect("a blob is in a container");
    create_folders(folder)?;
    create_folders(staging)?;
    let mut staged = staged(staging)?;
    staged.write_all(bytes)?;
    staged.as_file().sync_all()?;
    staged.persist(path)?;
    sync_folder(folder)
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
fn staged(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
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
fn create_folders(folder: &Path) -> io::Result<()> {
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
