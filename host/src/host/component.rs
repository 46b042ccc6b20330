//! One component file: loaded, the same as before, still changing, or at fault.

use std::{
    io::{self, ErrorKind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use tokio::runtime::Handle;

use super::{
    LoadError, Progress,
    files::{ComponentFile, Stamp},
};
use crate::{
    function::{Declaration, Limits},
    guest::{Cache, Component, Engine, Source},
};

/// A component and what it says it does.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) component: Arc<Component>,
    pub(super) declarations: Vec<Declaration>,
    pub(super) content: blake3::Hash,
}

/// What came of a file when it was last looked at.
#[derive(Clone, Debug)]
pub(super) struct Known {
    // None: it could not be read.
    stamp: Option<Stamp>,
    content: Option<blake3::Hash>,
    /// What it had while it was asked for its functions.
    limits: Limits,
    /// None: it is at fault, which was told.
    pub(super) loaded: Option<Arc<Loaded>>,
}

/// What a look at a file finds.
#[derive(Debug)]
pub(super) enum Seen {
    /// All is as it was known.
    Same,
    /// It is being written: what it will be has to be seen later.
    Changing,
    /// Known anew, for the better.
    Loaded(Known),
    /// Known anew, and at fault.
    Fault(Known, LoadError),
}

/// What it takes to load a component.
pub(super) struct Workshop<'a> {
    pub(super) engine: &'a Arc<Engine>,
    pub(super) cache: &'a Cache,
    pub(super) limits: Limits,
    pub(super) progress: &'a dyn Progress,
    /// A file that was written to less than this long ago is not looked into yet.
    pub(super) quiet: Duration,
    /// Whether the first fault ends it.
    pub(super) strict: bool,
}

impl Workshop<'_> {
    /// Looks at all files, as many at a time as there are processors. Each is given with what was known of it.
    ///
    /// Files come in their order, so that where the first fault ends it, all before it have been looked at: the
    /// first fault in the order of the files is always the same.
    pub(super) fn look_at(&self, files: &[(&ComponentFile, Option<&Known>)]) -> Vec<Option<Seen>> {
        let runtime = Handle::current();
        let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let seen: Mutex<Vec<Option<Seen>>> = Mutex::new(files.iter().map(|_| None).collect());
        let work = || {
            while !ended.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some((file, known)) = files.get(index) else { break };
                let compiling = || self.progress.compiling(&file.name, index + 1, files.len());
                let found = self.look(&runtime, file, *known, compiling);
                if self.strict && matches!(found, Seen::Changing | Seen::Fault(..)) {
                    ended.store(true, Ordering::Relaxed);
                }
                seen.lock().expect("no thread panics while it holds the lock")[index] = Some(found);
            }
        };
        let n_workers = thread::available_parallelism().map_or(1, usize::from).min(files.len());
        thread::scope(|scope| {
            for _ in 1..n_workers {
                scope.spawn(work);
            }
            work();
        });
        seen.into_inner().expect("no thread panicked while it held the lock")
    }

    fn look(
        &self,
        runtime: &Handle,
        file: &ComponentFile,
        known: Option<&Known>,
        compiling: impl FnOnce(),
    ) -> Seen {
        let stamp = match file.stamp() {
            Ok(stamp) => stamp,
            Err(error) => return self.unreadable(file, known, error),
        };
        if known.is_some_and(|known| known.stamp == Some(stamp) && self.holds(known)) {
            return Seen::Same;
        }
        if file.is_fresh(self.quiet) {
            return Seen::Changing;
        }
        let wasm = match file.read(stamp) {
            Ok(Some(wasm)) => wasm,
            Ok(None) => return Seen::Changing,
            Err(error) => return self.unreadable(file, known, error),
        };
        let content = blake3::hash(&wasm);
        let now = |loaded| Known {
            stamp: Some(stamp),
            content: Some(content),
            limits: self.limits,
            loaded,
        };
        if let Some(known) =
            known.filter(|known| known.content == Some(content) && self.holds(known))
        {
            // The same component, or the same fault, which was told.
            return Seen::Loaded(now(known.loaded.clone()));
        }
        let source = Source { name: Arc::clone(&file.name), wasm: &wasm, content };
        let load = Component::load(self.engine, self.cache, &source, &self.limits, compiling);
        match runtime.block_on(load) {
            Ok((component, declarations)) => {
                let component = Arc::new(component);
                Seen::Loaded(now(Some(Arc::new(Loaded { component, declarations, content }))))
            }
            Err(source) => Seen::Fault(
                now(None),
                LoadError::Component { component: Arc::clone(&file.name), source },
            ),
        }
    }

    /// Whether what was found then would be found now: other limits can only mend a fault.
    fn holds(&self, known: &Known) -> bool {
        known.loaded.is_some() || known.limits == self.limits
    }

    fn unreadable(&self, file: &ComponentFile, known: Option<&Known>, source: io::Error) -> Seen {
        // Removed since the folder was listed; a link that leads nowhere stays.
        if source.kind() == ErrorKind::NotFound && !file.path.is_symlink() {
            return Seen::Changing;
        }
        if known.is_some_and(|known| known.stamp.is_none()) {
            return Seen::Same;
        }
        let now = Known { stamp: None, content: None, limits: self.limits, loaded: None };
        Seen::Fault(now, LoadError::File { component: Arc::clone(&file.name), source })
    }
}
