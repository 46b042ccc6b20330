//! Tells when files of a folder change, once they are quiet again.

use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use notify::{
    Event, EventKind, INotifyWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};
use tokio::{
    sync::Notify,
    time::{Instant, timeout, timeout_at},
};

/// How long nothing may happen before a change counts as done.
pub const QUIET: Duration = Duration::from_millis(50);

/// How long changes may go on before they are looked at all the same: one file that is written to all the time
/// must not keep the others from being seen.
const PATIENCE: Duration = Duration::from_secs(1);

/// What of a folder is watched.
#[derive(Clone, Debug)]
pub enum Interest {
    /// Every file that is not hidden.
    Folder(PathBuf),
    /// These names.
    Names(PathBuf, Vec<OsString>),
}

/// Watches folders, without those in them.
#[derive(Debug)]
pub struct Watcher {
    inner: INotifyWatcher,
    folders: Vec<Watched>,
    changed: Arc<Notify>,
}

/// A folder and which one it was: another of the same name has to be watched anew.
#[derive(Debug)]
struct Watched {
    path: PathBuf,
    inode: Option<(u64, u64)>,
}

impl Watcher {
    /// Watches from now on. A folder that is not there is watched once it is, if the folder around it is watched too.
    pub fn new(interests: Vec<Interest>) -> io::Result<Self> {
        let changed = Arc::new(Notify::new());
        let mut folders: Vec<PathBuf> = interests.iter().map(|i| i.folder().to_owned()).collect();
        folders.sort();
        folders.dedup();
        let inner = notify::recommended_watcher({
            let changed = Arc::clone(&changed);
            move |event: notify::Result<Event>| {
                // An error is a loss of events, so that anything may have changed.
                if event.map_or(true, |event| is_of_interest(&interests, &event)) {
                    changed.notify_one();
                }
            }
        })
        .map_err(into_io)?;
        let folders = folders.into_iter().map(|path| Watched { path, inode: None }).collect();
        let mut watcher = Self { inner, folders, changed };
        watcher.follow()?;
        Ok(watcher)
    }

    /// Waits for a change, and then until it is done. May be dropped while it waits.
    pub async fn settled(&mut self) {
        self.changed.notified().await;
        let patience = Instant::now() + PATIENCE;
        while let Ok(Ok(())) = timeout_at(patience, timeout(QUIET, self.changed.notified())).await {
        }
        if let Err(error) = self.follow() {
            tracing::warn!(%error, "a folder can no longer be watched for changes");
        }
    }

    /// Watches each folder that took the place of another one.
    fn follow(&mut self) -> io::Result<()> {
        for folder in &mut self.folders {
            let inode = inode(&folder.path);
            if inode == folder.inode {
                continue;
            }
            // The one that was watched may be gone, and with it the watch.
            let _ = self.inner.unwatch(&folder.path);
            folder.inode = None;
            if inode.is_some() {
                self.inner.watch(&folder.path, RecursiveMode::NonRecursive).map_err(into_io)?;
                folder.inode = inode;
            }
        }
        Ok(())
    }
}

impl Interest {
    fn folder(&self) -> &Path {
        match self {
            Self::Folder(folder) | Self::Names(folder, _) => folder,
        }
    }

    fn takes(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default();
        if path.parent() != Some(self.folder()) {
            return false;
        }
        match self {
            // Kubernetes mounts a folder of files by a link of this name, which it replaces.
            Self::Folder(_) => !name.as_encoded_bytes().starts_with(b".") || name == "..data",
            Self::Names(_, names) => names.iter().any(|known| known == name) || name == "..data",
        }
    }
}

fn is_of_interest(interests: &[Interest], event: &Event) -> bool {
    let is_change = match event.kind {
        // Being read changes nothing, and we read ourselves.
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    };
    let is_ours = |path: &PathBuf| {
        let is_folder = interests.iter().any(|interest| interest.folder() == path);
        is_folder || interests.iter().any(|interest| interest.takes(path))
    };
    is_change && (event.need_rescan() || event.paths.iter().any(is_ours))
}

fn inode(folder: &Path) -> Option<(u64, u64)> {
    fs::metadata(folder).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

fn into_io(error: notify::Error) -> io::Error {
    match error.kind {
        notify::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, time::Duration};

    use notify::{
        Event, EventKind,
        event::{AccessKind, AccessMode, CreateKind},
    };
    use tokio::time::timeout;

    use super::{Interest, Watcher, is_of_interest};

    fn interests(folder: &Path) -> Vec<Interest> {
        vec![
            Interest::Folder(folder.join("functions")),
            Interest::Names(folder.to_owned(), vec!["host.json".into()]),
        ]
    }

    #[test]
    fn what_the_host_does_itself_is_of_no_interest() {
        let root = Path::new("/x");
        let check = |kind, path: &str| {
            is_of_interest(&interests(root), &Event::new(kind).add_path(root.join(path)))
        };
        let create = EventKind::Create(CreateKind::File);
        assert!(check(create, "host.json"));
        assert!(check(create, "functions/a.wasm"));
        assert!(check(create, "functions"));
        assert!(!check(create, ".mcpfn"));
        assert!(!check(create, "functions/.a.wasm"));
        assert!(!check(EventKind::Access(AccessKind::Open(AccessMode::Any)), "host.json"));
        assert!(check(EventKind::Access(AccessKind::Close(AccessMode::Write)), "host.json"));
    }

    #[tokio::test]
    async fn a_folder_that_is_made_again_is_watched_again() {
        let folder = tempfile::tempdir().unwrap();
        let functions = folder.path().join("functions");
        fs::create_dir(&functions).unwrap();
        let mut watcher = Watcher::new(interests(folder.path())).unwrap();
        let mut settled = async |change: &dyn Fn()| {
            change();
            timeout(Duration::from_secs(30), watcher.settled()).await.expect("a change is seen");
        };
        settled(&|| fs::write(functions.join("a.wasm"), "a").unwrap()).await;
        settled(&|| fs::rename(&functions, folder.path().join("old")).unwrap()).await;
        settled(&|| fs::create_dir(&functions).unwrap()).await;
        settled(&|| fs::write(functions.join("b.wasm"), "b").unwrap()).await;
    }
}
