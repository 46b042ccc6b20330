//! Tells when files of a folder change, once they are quiet again.

use std::{
    collections::HashSet,
    ffi::OsString,
    io, mem,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use notify::{
    Event, EventKind, INotifyWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, ModifyKind, RenameMode},
};
use tokio::{
    sync::Notify,
    time::{Instant, timeout, timeout_at},
};

/// How long changes may go on before they are looked at all the same: one file that is written to all the time
/// must not keep the others from being seen.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long nothing may happen where every file that changed is whole: what is put there together is seen together.
const BRIEF: Duration = Duration::from_millis(5);

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
    folders: Vec<PathBuf>,
    changes: Arc<Changes>,
    quiet: Duration,
}

/// What happened since it was last asked for.
#[derive(Debug, Default)]
struct Changes {
    notify: Notify,
    files: Mutex<Files>,
}

/// The files that changed.
#[derive(Debug, Default)]
struct Files {
    /// Closed by who wrote them, or renamed into place.
    whole: HashSet<PathBuf>,
    /// Whatever else happened to them.
    others: HashSet<PathBuf>,
}

impl Watcher {
    /// Watches from now on. A folder that is not there is watched once it is, if the folder around it is watched too.
    ///
    /// A change counts as done when nothing happened for as long as `quiet`, or sooner where it is known to be.
    pub fn new(interests: Vec<Interest>, quiet: Duration) -> io::Result<Self> {
        let changes = Arc::new(Changes::default());
        let mut folders: Vec<PathBuf> = interests.iter().map(|i| i.folder().to_owned()).collect();
        folders.sort();
        folders.dedup();
        let inner = notify::recommended_watcher({
            let changes = Arc::clone(&changes);
            move |event: notify::Result<Event>| match event {
                Ok(event) if !is_of_interest(&interests, &event) => {}
                Ok(event) => changes.add(&event),
                // A loss of events, so that anything may have changed.
                Err(_) => changes.notify.notify_one(),
            }
        })
        .map_err(into_io)?;
        let mut watcher = Self { inner, folders, changes, quiet };
        watcher.follow()?;
        Ok(watcher)
    }

    /// Waits for a change, for as long as `at_most` if it is given, and then until the change is done. The files that
    /// are known to be whole.
    pub async fn settled(&mut self, at_most: Option<Duration>) -> HashSet<PathBuf> {
        let changed = self.changes.notify.notified();
        let is_changed = if let Some(at_most) = at_most {
            timeout(at_most, changed).await.is_ok()
        } else {
            changed.await;
            true
        };
        if is_changed {
            let patience = Instant::now() + PATIENCE;
            while let Ok(Ok(())) =
                timeout_at(patience, timeout(self.wait(), self.changes.notify.notified())).await
            {
            }
        }
        // Before anybody looks: what happens from here on is told, and what happened before is seen.
        if let Err(error) = self.follow() {
            tracing::warn!(%error, "a folder can no longer be watched for changes");
        }
        mem::take(&mut *self.changes.files()).whole
    }

    /// How long nothing may happen from here on.
    fn wait(&self) -> Duration {
        let files = self.changes.files();
        if files.others.is_empty() && !files.whole.is_empty() {
            BRIEF.min(self.quiet)
        } else {
            self.quiet
        }
    }

    /// Watches every folder again. Another one may have taken its place, and no inode tells: file systems give the
    /// number of one that was removed to the next one that is made.
    fn follow(&mut self) -> io::Result<()> {
        for folder in &self.folders {
            // The kernel may have forgotten the watch, which the watcher would still count.
            let _ = self.inner.unwatch(folder);
            if let Err(error) = self.inner.watch(folder, RecursiveMode::NonRecursive)
                && folder.exists()
            {
                return Err(into_io(error));
            }
        }
        Ok(())
    }
}

impl Changes {
    fn add(&self, event: &Event) {
        {
            let mut files = self.files();
            match (event.kind, event.paths.as_slice()) {
                // Its owner or its times: what is in it stays.
                (EventKind::Modify(ModifyKind::Metadata(_)), _) => {}
                // Of these, only the end of writing is of interest.
                (
                    EventKind::Access(_) | EventKind::Modify(ModifyKind::Name(RenameMode::To)),
                    paths,
                ) => {
                    for path in paths {
                        files.is_whole(path);
                    }
                }
                (EventKind::Modify(ModifyKind::Name(RenameMode::Both)), [from, to]) => {
                    files.whole.remove(from);
                    files.others.remove(from);
                    files.is_whole(to);
                }
                (_, paths) => {
                    for path in paths {
                        files.whole.remove(path);
                        files.others.insert(path.clone());
                    }
                }
            }
        }
        self.notify.notify_one();
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files {
    fn is_whole(&mut self, path: &Path) {
        self.others.remove(path);
        self.whole.insert(path.to_owned());
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

fn into_io(error: notify::Error) -> io::Error {
    match error.kind {
        notify::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        fs::{self, File},
        io::Write,
        path::{Path, PathBuf},
        time::{Duration, Instant},
    };

    use notify::{
        Event, EventKind,
        event::{AccessKind, AccessMode, CreateKind},
    };
    use tempfile::TempDir;
    use tokio::time::timeout;

    use super::{Interest, Watcher, is_of_interest};

    fn interests(folder: &Path) -> Vec<Interest> {
        vec![
            Interest::Folder(folder.join("functions")),
            Interest::Names(folder.to_owned(), vec!["host.json".into()]),
        ]
    }

    fn watched(quiet: Duration) -> (TempDir, PathBuf, Watcher) {
        let folder = tempfile::tempdir().unwrap();
        let functions = folder.path().join("functions");
        fs::create_dir(&functions).unwrap();
        let watcher = Watcher::new(interests(folder.path()), quiet).unwrap();
        (folder, functions, watcher)
    }

    async fn settled(watcher: &mut Watcher) -> HashSet<PathBuf> {
        timeout(Duration::from_mins(1), watcher.settled(None)).await.expect("a change is seen")
    }

    const QUIET: Duration = Duration::from_millis(50);

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
        let (folder, functions, mut watcher) = watched(QUIET);
        fs::write(functions.join("a.wasm"), "a").unwrap();
        settled(&mut watcher).await;
        fs::rename(&functions, folder.path().join("old")).unwrap();
        settled(&mut watcher).await;
        fs::create_dir(&functions).unwrap();
        settled(&mut watcher).await;
        fs::write(functions.join("b.wasm"), "b").unwrap();
        settled(&mut watcher).await;
    }

    #[tokio::test]
    async fn a_folder_that_is_removed_and_made_again_at_once_is_watched_again() {
        let (_folder, functions, mut watcher) = watched(QUIET);
        for n in 0..5 {
            // The new folder has the inode of the old one on many file systems.
            fs::remove_dir_all(&functions).unwrap();
            fs::create_dir(&functions).unwrap();
            settled(&mut watcher).await;
            // Until nothing more comes of that.
            for _ in 0..2 {
                watcher.settled(Some(Duration::from_millis(200))).await;
            }
            fs::write(functions.join(format!("{n}.wasm")), "a").unwrap();
            settled(&mut watcher).await;
        }
    }

    #[tokio::test]
    async fn a_file_that_is_renamed_into_place_or_closed_is_whole_at_once() {
        let (folder, functions, mut watcher) = watched(Duration::from_mins(10));
        fs::write(folder.path().join("beside"), "a").unwrap();
        let started = Instant::now();
        fs::rename(folder.path().join("beside"), functions.join("a.wasm")).unwrap();
        assert_eq!(settled(&mut watcher).await, HashSet::from([functions.join("a.wasm")]));
        fs::write(functions.join("b.wasm"), "b").unwrap();
        assert_eq!(settled(&mut watcher).await, HashSet::from([functions.join("b.wasm")]));
        assert!(started.elapsed() < Duration::from_secs(1), "it was waited for");
    }

    #[tokio::test]
    async fn a_file_that_is_still_open_is_not_whole() {
        let (_folder, functions, mut watcher) = watched(QUIET);
        let mut file = File::create(functions.join("a.wasm")).unwrap();
        file.write_all(b"half").unwrap();
        let started = Instant::now();
        assert_eq!(settled(&mut watcher).await, HashSet::new());
        assert!(started.elapsed() >= QUIET, "it was not waited for");
        drop(file);
        assert_eq!(settled(&mut watcher).await, HashSet::from([functions.join("a.wasm")]));
    }
}
