//! Makes one version of the host after another, each of what is in the folder and in host.json.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{
    Changes, Host, LoadError,
    assemble::{Shared, Version},
    component::{Known, Loaded, Seen, Workshop},
    files::{self, ComponentFile},
};
use crate::{
    binding::Memory,
    config::Config,
    function::{ComponentName, Limits},
    guest::{self, Cache, Engine, Pooling},
    invoke::Admission,
};

/// Where compiled code is kept, beside host.json.
const CACHE_FOLDER: &str = ".mcpfn/cache";

/// Who is told how loading goes.
pub trait Progress: Sync {
    /// Something the user should know of.
    fn notice(&self, text: &str);

    /// The component at this place, from 1, of so many is about to be compiled, which can take seconds.
    fn compiling(&self, component: &ComponentName, place: usize, of: usize);
}

/// What is known of files before they are looked at.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// A file that was written to less than this long ago may not be whole.
    pub quiet: Duration,
    /// Files that are, however new.
    pub whole: HashSet<PathBuf>,
}

/// Loads components, and keeps what outlives a version: the engine, the cache, the places of invocations, and what it knows of
/// every file.
#[derive(Debug)]
pub struct Loader {
    folder: PathBuf,
    cache: Cache,
    shared: Shared,
    known: BTreeMap<PathBuf, Known>,
    // What each file held last, whether or not it is there, and what is no longer in any of them.
    contents: BTreeMap<PathBuf, blake3::Hash>,
    replaced: HashSet<blake3::Hash>,
    serving: Option<Version>,
    // Why the last reload came to nothing, as it was told.
    refused: Option<String>,
    // What some file holds, loads, and cannot be served with this configuration, which was told.
    unfit: Vec<Arc<Loaded>>,
    unfit_for: Option<Arc<Config>>,
}

/// What a reload came to.
#[derive(Debug)]
pub struct Reload {
    /// The next version, and what is different in it. None: what was served still is.
    pub next: Option<(Arc<Host>, Changes)>,
    /// What is wrong, one sentence each; a fault is told once.
    pub faults: Vec<String>,
    /// When to look again though nothing happens: a file is being written, or a fault may be over by then.
    pub again: Option<Duration>,
}

impl Loader {
    /// Makes the engine and opens the cache.
    pub fn new(
        config: &Config,
        functions: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, LoadError> {
        let engine = Arc::new(Engine::new(&engine_config(config)).map_err(LoadError::Engine)?);
        if let Pooling::OnDemand { reason } = engine.pooling() {
            progress.notice(&format!(
                "no memory pool could be reserved ({reason}): instances are made one by one, which is slower"
            ));
        }
        let cache = Cache::open(&config.root.join(CACHE_FOLDER), config.data_folder.as_deref())
            .unwrap_or_else(|error| {
                progress
                    .notice(&format!("compiled code is not cached in `{CACHE_FOLDER}`: {error}"));
                Cache::none()
            });
        let admission = Arc::new(Admission::new(engine.max_instances()));
        Ok(Self {
            folder: functions.to_owned(),
            cache,
            shared: Shared { engine, admission, memory: Memory::default() },
            known: BTreeMap::new(),
            contents: BTreeMap::new(),
            replaced: HashSet::new(),
            serving: None,
            refused: None,
            unfit: Vec::new(),
            unfit_for: None,
        })
    }

    /// Loads every component of the folder and makes its functions ready. One that cannot serve stops it.
    ///
    /// Blocks; must be called in a tokio runtime, off the threads that serve.
    pub fn load(
        &mut self,
        config: &Arc<Config>,
        progress: &dyn Progress,
    ) -> Result<Arc<Host>, LoadError> {
        for notice in &config.notices {
            progress.notice(notice);
        }
        let files = files::list(&self.folder)?;
        if files.is_empty() {
            progress.notice(&format!(
                "no component (`*.wasm`) in `{}`: nothing to serve (run `mcpfn build`)",
                self.folder.display()
            ));
        }
        let workshop = Workshop {
            engine: &self.shared.engine,
            cache: &self.cache,
            limits: describe_limits(config),
            progress,
            look: &Look::default(),
            strict: true,
        };
        let seen = look_at(&workshop, &files, &self.known);
        self.cache.prune();
        let mut components = Vec::with_capacity(files.len());
        for (file, seen) in files.into_iter().zip(seen) {
            match seen {
                Some(Seen::Loaded(known)) => {
                    components.extend(known.loaded.clone());
                    self.contents
                        .extend(known.content().map(|content| (file.path.clone(), content)));
                    self.known.insert(file.path, known);
                }
                Some(Seen::Fault(_, error)) => return Err(error),
                Some(Seen::Changing | Seen::Same | Seen::StillAtFault(_)) | None => {
                    let source = std::io::Error::other("it changes while it is read");
                    return Err(LoadError::File { component: file.name, source });
                }
            }
        }
        let mut told = Vec::new();
        let version = Version::assemble(&self.shared, config, &components, None, &mut told);
        for notice in told {
            progress.notice(&notice);
        }
        let version = version?;
        let host = Arc::clone(&version.host);
        self.serving = Some(version);
        Ok(host)
    }

    /// Looks at what changed since, and makes the next version of it.
    ///
    /// A component that does not load, or is still being written, stays in its last good version; where the whole
    /// does not fit together, all of it stays. Only what changed is read and compiled.
    ///
    /// Blocks as [`load`](Self::load) does.
    pub fn reload(&mut self, config: &Arc<Config>, look: &Look, progress: &dyn Progress) -> Reload {
        let mut reload = Reload { next: None, faults: Vec::new(), again: None };
        match self.next(config, look, progress, &mut reload) {
            Ok(Some((version, changes))) => {
                reload.next = Some((Arc::clone(&version.host), changes));
                self.serving = Some(version);
                self.refused = None;
            }
            Ok(None) => self.refused = None,
            Err(error) => {
                let reason = error.sentence();
                if self.refused.as_ref() != Some(&reason) {
                    reload.faults.push(format!(
                        "not reloaded, and the last good version still serves: {reason}"
                    ));
                    self.refused = Some(reason);
                }
            }
        }
        reload
    }

    /// Removes the compiled code of what was replaced. Components that still have it in use are not hurt; this is apart
    /// from [`reload`](Self::reload), since nobody waits for it.
    pub fn forget_replaced(&mut self) {
        let mut in_use: HashSet<_> = self.contents.values().copied().collect();
        if let Some(serving) = &self.serving {
            in_use.extend(serving.components.values().map(|loaded| loaded.content));
        }
        self.replaced.retain(|content| {
            let is_in_use = in_use.contains(content);
            if !is_in_use {
                self.cache.forget(&self.shared.engine, content);
            }
            // One that still serves is replaced later.
            is_in_use
        });
    }

    fn next(
        &mut self,
        config: &Arc<Config>,
        look: &Look,
        progress: &dyn Progress,
        reload: &mut Reload,
    ) -> Result<Option<(Version, Changes)>, LoadError> {
        let files = files::list(&self.folder)?;
        let workshop = Workshop {
            engine: &self.shared.engine,
            cache: &self.cache,
            limits: describe_limits(config),
            progress,
            look,
            strict: false,
        };
        let seen = look_at(&workshop, &files, &self.known);
        if !self.unfit_for.as_ref().is_some_and(|before| Arc::ptr_eq(before, config)) {
            self.unfit.clear();
            self.unfit_for = Some(Arc::clone(config));
        }
        let mut known = BTreeMap::new();
        let mut candidates = Vec::new();
        for (file, seen) in files.into_iter().zip(seen) {
            let before = self.known.get(&file.path);
            let served = self.served(&file.name);
            let now = match seen {
                Some(Seen::Loaded(now) | Seen::StillAtFault(now)) => Some(now),
                Some(Seen::Fault(now, error)) => {
                    reload.faults.push(stays(&error.sentence(), served.as_ref()));
                    Some(now)
                }
                Some(Seen::Changing) => {
                    reload.look_again(look.quiet);
                    before.cloned()
                }
                Some(Seen::Same) | None => before.cloned(),
            };
            let loaded = now.as_ref().and_then(|now| now.loaded.clone());
            candidates.extend(loaded.filter(|loaded| !self.is_unfit(loaded)).or(served));
            if let Some(now) = now {
                if let Some(wait) = now.retry_in() {
                    reload.look_again(wait);
                }
                if let Some(content) = now.content() {
                    let before = self.contents.insert(file.path.clone(), content);
                    self.replaced.extend(before.filter(|before| *before != content));
                }
                known.insert(file.path, now);
            }
        }
        self.known = known;
        let is_held = |loaded: &Arc<Loaded>| {
            let mut held = self.known.values().filter_map(|known| known.loaded.as_ref());
            held.any(|held| Arc::ptr_eq(held, loaded))
        };
        self.unfit.retain(is_held);
        let version = loop {
            if self.serving.as_ref().is_some_and(|serving| serving.is_made_of(config, &candidates))
            {
                return Ok(None);
            }
            let mut told = Vec::new();
            let before = self.serving.as_ref();
            match Version::assemble(&self.shared, config, &candidates, before, &mut told) {
                Ok(version) => {
                    for notice in &told {
                        progress.notice(notice);
                    }
                    break version;
                }
                Err(error) => {
                    // The fault of one component, and of no other.
                    let (LoadError::Function { component, .. }
                    | LoadError::Component { component, .. }) = &error
                    else {
                        return Err(error);
                    };
                    if !self.put_back(component, &mut candidates) {
                        return Err(error);
                    }
                    let served = self.served(component);
                    reload.faults.push(stays(&error.sentence(), served.as_ref()));
                }
            }
        };
        let changes = Changes::between(self.serving.as_ref(), &version);
        Ok(Some((version, changes)))
    }

    /// The component as it is served.
    fn served(&self, name: &Arc<ComponentName>) -> Option<Arc<Loaded>> {
        self.serving.as_ref()?.components.get(name).cloned()
    }

    fn is_unfit(&self, loaded: &Arc<Loaded>) -> bool {
        self.unfit.iter().any(|unfit| Arc::ptr_eq(unfit, loaded))
    }

    /// Puts the served version of a component in the place of a new one, which is unfit. False: there is no new one.
    fn put_back(&mut self, name: &Arc<ComponentName>, candidates: &mut Vec<Arc<Loaded>>) -> bool {
        let Some(index) = candidates.iter().position(|other| other.component.name() == name) else {
            return false;
        };
        let served = self.served(name);
        if served.as_ref().is_some_and(|served| Arc::ptr_eq(served, &candidates[index])) {
            return false;
        }
        self.unfit.push(candidates.remove(index));
        if let Some(served) = served {
            candidates.insert(index, served);
        }
        true
    }
}

impl Reload {
    fn look_again(&mut self, wait: Duration) {
        self.again = Some(self.again.map_or(wait, |again| again.min(wait)));
    }
}

fn look_at(
    workshop: &Workshop<'_>,
    files: &[ComponentFile],
    known: &BTreeMap<PathBuf, Known>,
) -> Vec<Option<Seen>> {
    let files: Vec<_> = files.iter().map(|file| (file, known.get(&file.path))).collect();
    workshop.look_at(&files)
}

/// What host.json says of the engine, in the engine's own terms.
fn engine_config(config: &Config) -> guest::Config {
    let said = &config.engine;
    guest::Config {
        max_instances: said.max_instances,
        memory: config.limits.memory,
        stack: said.stack,
        pooling: said.pooling,
        pagemap_scan: said.pagemap_scan,
    }
}

/// A component may need the most that any of its functions may have.
fn describe_limits(config: &Config) -> Limits {
    let of_functions = config.functions.iter().map(|function| &function.limits);
    let start = Limits {
        memory: config.limits.memory,
        table_elements: config.limits.table_elements,
        handles: config.limits.handles,
        ..Limits::default()
    };
    of_functions.fold(start, |most, limits| Limits {
        memory: most.memory.max(limits.memory),
        table_elements: most.table_elements.max(limits.table_elements),
        handles: most.handles.max(limits.handles),
        ..most
    })
}

fn stays(reason: &str, served: Option<&Arc<Loaded>>) -> String {
    match served {
        Some(_) => format!("{reason}; its last good version still serves"),
        None => format!("{reason}; it is not served"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::describe_limits;
    use crate::config::{Config, Environment};

    #[test]
    fn a_component_is_described_with_the_most_that_any_function_may_have() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("host.json");
        let text = r#"{ "version": "2.0", "limits": { "memoryMiB": 96, "handles": 2000 },
            "functions": { "a": { "limits": { "tableElements": 200000 } },
                           "b": { "limits": { "memoryMiB": 128, "handles": 10 } } } }"#;
        fs::write(&file, text).unwrap();
        let limits = describe_limits(&Config::load(&file, &Environment::default()).unwrap());
        assert_eq!(
            (limits.memory, limits.table_elements, limits.handles),
            (128 << 20, 200_000, 2000)
        );
    }
}
