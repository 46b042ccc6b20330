//! One component file: loaded, the same as before, still changing, or at fault.

use std::{
    io::{self, ErrorKind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::runtime::Handle;

use super::{
    LoadError, Look, Progress,
    files::{ComponentFile, Stamp},
};
use crate::{
    function::Limits,
    guest::{self, Cache, Component, Declared, Engine, GuestError, Source},
};

/// How long a fault is left alone the first time that may be over by itself, and how long at most.
const FIRST_RETRY: Duration = Duration::from_secs(1);
const LAST_RETRY: Duration = Duration::from_mins(1);

/// A component and what it says it does.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) component: Arc<Component>,
    pub(super) declared: Declared,
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
    retry: Option<Retry>,
}

/// A fault that is none of the content: it may be over by itself.
#[derive(Clone, Debug)]
struct Retry {
    at: Instant,
    after: Duration,
    // As it was told.
    reason: String,
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
    /// Known anew, and still at the fault that was told.
    StillAtFault(Known),
}

/// What it takes to load a component.
pub(super) struct Workshop<'a> {
    pub(super) engine: &'a Arc<Engine>,
    pub(super) cache: &'a Cache,
    pub(super) limits: Limits,
    pub(super) progress: &'a dyn Progress,
    pub(super) look: &'a Look,
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
                if self.strict
                    && matches!(found, Seen::Changing | Seen::Fault(..) | Seen::StillAtFault(_))
                {
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
        let is_same =
            |known: &Known| known.stamp == Some(stamp) && self.holds(known) && !known.is_due();
        if known.is_some_and(is_same) {
            return Seen::Same;
        }
        if !self.look.whole.contains(&file.path) && file.is_fresh(self.look.quiet) {
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
            retry: None,
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
            Ok((component, declared)) => {
                let component = Arc::new(component);
                Seen::Loaded(now(Some(Arc::new(Loaded { component, declared, content }))))
            }
            Err(source) => {
                let is_lasting = is_of_content(&source);
                let error = LoadError::Component { component: Arc::clone(&file.name), source };
                if is_lasting {
                    return Seen::Fault(now(None), error);
                }
                passing(known, Known { content: None, ..now(None) }, error)
            }
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
        let is_told = |known: &Known| known.stamp.is_none() && !known.is_due();
        if known.is_some_and(is_told) {
            return Seen::Same;
        }
        // What was in it, and will be again, unless it is another file by then.
        let (content, loaded) =
            known.map_or((None, None), |known| (known.content, known.loaded.clone()));
        let now = Known { stamp: None, content, limits: self.limits, loaded, retry: None };
        passing(known, now, LoadError::File { component: Arc::clone(&file.name), source })
    }
}

impl Known {
    /// What was loaded of it.
    pub(super) fn content(&self) -> Option<blake3::Hash> {
        Some(self.loaded.as_ref()?.content)
    }

    /// How long until it has to be looked at again, though nothing happened to it.
    pub(super) fn retry_in(&self) -> Option<Duration> {
        Some(self.retry.as_ref()?.at.saturating_duration_since(Instant::now()))
    }

    fn is_due(&self) -> bool {
        self.retry.as_ref().is_some_and(|retry| retry.at <= Instant::now())
    }
}

/// A fault that may be over by itself: it is told once, and looked at again after a while, which grows.
fn passing(before: Option<&Known>, now: Known, error: LoadError) -> Seen {
    let reason = error.sentence();
    let before = before.and_then(|known| known.retry.as_ref());
    let told = before.filter(|retry| retry.reason == reason);
    let after = told.map_or(FIRST_RETRY, |retry| LAST_RETRY.min(retry.after * 2));
    let is_told = told.is_some();
    let now = Known { retry: Some(Retry { at: Instant::now() + after, after, reason }), ..now };
    if is_told { Seen::StillAtFault(now) } else { Seen::Fault(now, error) }
}

/// Whether the same bytes would always come to the same: no other fault is worth remembering.
fn is_of_content(error: &guest::LoadError) -> bool {
    use guest::LoadError as E;
    match error {
        E::NotAComponent(_)
        | E::NothingOfOurs
        | E::Link(_)
        | E::Declaration { .. }
        | E::InitialMemory { .. } => true,
        E::Describe(error) => matches!(
            error,
            GuestError::OutOfMemory { .. }
                | GuestError::TablesFull { .. }
                | GuestError::TooManyHandles { .. }
                | GuestError::StackOverflow { .. }
                | GuestError::Exit
                | GuestError::Contract { .. }
        ),
        E::Engine(_) | E::Code => false,
    }
}
