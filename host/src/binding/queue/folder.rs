//! A queue as a folder: `<root>/.mcpfn-queues/<queue>/<time>-<id>.msg`, one file for each message.
//!
//! No container of blobs begins with a dot, so none is in the way.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tempfile::Builder;

use super::Fault;
use crate::binding::blob::{Detail, of_io};

/// One queue of a folder.
#[derive(Debug)]
pub(super) struct FolderQueue {
    path: PathBuf,
}

impl FolderQueue {
    pub(super) fn new(root: &Path, queue: &str) -> Self {
        Self { path: root.join(".mcpfn-queues").join(queue) }
    }

    /// Whether anything was put there yet.
    pub(super) async fn is_there(&self) -> Result<bool, Fault> {
        let path = self.path.clone();
        let look = move || match fs::metadata(path) {
            Ok(found) if found.is_dir() => Ok(true),
            Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        };
        let done = tokio::task::spawn_blocking(look).await.map_err(io::Error::other).flatten();
        done.map_err(fault)
    }

    /// Puts a message where it will be found, whole; a worker leaves it there until the time in its name.
    pub(super) async fn put(&self, bytes: &[u8], visibility: Duration) -> Result<(), Fault> {
        let (path, bytes) = (self.path.clone(), bytes.to_owned());
        let put = move || put(&path, &bytes, SystemTime::now() + visibility);
        let done = tokio::task::spawn_blocking(put).await.map_err(io::Error::other).flatten();
        done.map_err(fault)
    }
}

fn fault(error: io::Error) -> Fault {
    (of_io(&error), Box::new(Detail::of(&error)))
}

fn put(folder: &Path, bytes: &[u8], visible: SystemTime) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut builder = Builder::new();
    builder.prefix(".staged-");
    #[cfg(unix)]
    {
        // The worker may be another user: the mask of the process decides, as for any file.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut staged = builder.tempfile_in(folder)?;
    staged.write_all(bytes)?;
    staged.as_file().sync_all()?;
    let since = visible.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
    let mut id = [0; 8];
    getrandom::fill(&mut id).map_err(io::Error::other)?;
    // Names sort as the messages are to be taken.
    let name = format!("{:015}-{:016x}.msg", since.as_millis(), u64::from_be_bytes(id));
    staged.persist_noclobber(folder.join(name)).map_err(|error| error.error)?;
    sync(folder)
}

/// The name of a file is on the disk once its folder is.
#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync(_folder: &Path) -> io::Result<()> {
    Ok(())
}
