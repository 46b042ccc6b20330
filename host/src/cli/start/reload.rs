//! Serves what is in the folder and in host.json as it changes.

use std::{
    future::pending,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::task::spawn_blocking;
use tracing::{info, warn};

use crate::{
    cli::Sources,
    config::{Config, Environment, LOCAL_FILE_NAME},
    function::ComponentName,
    host::{Loader, Look, Progress, Reload},
    protocol::{Live, Protocol},
    watch::{Interest, Watcher},
};

/// How long nothing may happen to a file before it counts as whole, unless it is known to be.
const QUIET: Duration = Duration::from_millis(50);

/// Watches what the host is made of, and swaps the version that serves.
pub(super) struct Reloader {
    watcher: Watcher,
    sources: Sources,
    environment: Environment,
    text: Text,
    config: Option<Arc<Config>>,
    started: Arc<Config>,
}

/// Makes the next version of what was changed.
struct Maker {
    sources: Sources,
    environment: Environment,
    text: Text,
    // None: it is broken.
    config: Option<Arc<Config>>,
    started: Arc<Config>,
    loader: Loader,
    live: Arc<Live>,
}

/// The two files of the configuration, and what is in them.
#[derive(PartialEq, Eq)]
pub(super) struct Text([(PathBuf, Option<Vec<u8>>); 2]);

impl Reloader {
    /// Watches from now on, so that what changes while the host loads is seen. `text` is what was read before, or as,
    /// `config` was.
    pub(super) fn new(
        sources: &Sources,
        text: Text,
        config: &Arc<Config>,
        environment: &Environment,
    ) -> io::Result<Self> {
        let functions = std::path::absolute(sources.functions(config))?;
        let mut interests = vec![
            Interest::Folder(functions.clone()),
            Interest::Names(
                config.root.clone(),
                text.files().filter_map(|file| Some(file.file_name()?.to_owned())).collect(),
            ),
        ];
        if let (Some(parent), Some(name)) = (functions.parent(), functions.file_name()) {
            // The folder itself may be replaced.
            interests.push(Interest::Names(parent.to_owned(), vec![name.to_owned()]));
        }
        Ok(Self {
            watcher: Watcher::new(interests, QUIET)?,
            sources: sources.clone(),
            environment: environment.clone(),
            text,
            config: Some(Arc::clone(config)),
            started: Arc::clone(config),
        })
    }

    /// Swaps the version that serves whenever there is another one. Never completes; dropping it ends it.
    pub(super) async fn run(self, loader: Loader, live: Arc<Live>) {
        let Self { mut watcher, sources, environment, text, config, started } = self;
        let mut maker = Maker { sources, environment, text, config, started, loader, live };
        // What changed between reading the configuration and watching it made no event.
        let mut again = Some(Duration::ZERO);
        loop {
            let look = Look { whole: watcher.settled(again).await, quiet: QUIET };
            // Reading, compiling and freeing what was replaced is nothing for the threads that serve.
            let made = spawn_blocking(move || {
                let again = maker.next(&look);
                (maker, again)
            });
            (maker, again) = match made.await {
                Ok(made) => made,
                Err(error) => {
                    warn!(%error, "changes are no longer served until the next start");
                    return pending().await;
                }
            };
        }
    }
}

impl Maker {
    /// Serves the next version, if there is another one. When to look again, though nothing happens.
    fn next(&mut self, look: &Look) -> Option<Duration> {
        let started = Instant::now();
        // Without it nothing can be made, and what mends it is seen.
        let config = self.config()?;
        let reload = self.loader.reload(&config, look, &Log);
        if let Some((host, _)) = &reload.next {
            let shared = self.live.shared().clone();
            self.live.swap(Protocol::new(Arc::clone(host), shared));
        }
        self.tell(&reload, started.elapsed());
        self.loader.forget_replaced();
        reload.again
    }

    fn tell(&self, reload: &Reload, took: Duration) {
        for fault in &reload.faults {
            warn!("{fault}");
        }
        let Some((_, changes)) = &reload.next else { return };
        let took_ms = took.as_millis();
        info!("reloaded in {took_ms} ms: {changes}");
        if changes.settings
            && let Some(config) = &self.config
        {
            for key in self.started.fixed_keys_that_differ(config) {
                warn!("`{key}` of host.json takes effect at the next start");
            }
        }
    }

    /// The configuration, read again if its files are other ones. None: it is broken, which was told.
    fn config(&mut self) -> Option<Arc<Config>> {
        let text = self.text.again();
        if text != self.text {
            self.text = text;
            self.config = match self.sources.config(&self.environment) {
                Ok(config) => {
                    for notice in &config.notices {
                        Log.notice(notice);
                    }
                    Some(Arc::new(config))
                }
                Err(error) => {
                    warn!("not reloaded, and the last good version still serves: {error}");
                    None
                }
            };
        }
        self.config.clone()
    }
}

impl Text {
    /// Reads the files that these sources name.
    pub(super) fn read(sources: &Sources) -> io::Result<Self> {
        let host_json = std::path::absolute(sources.host_json())?;
        let local = host_json.with_file_name(LOCAL_FILE_NAME);
        Ok(Self([host_json, local].map(Self::file)))
    }

    fn again(&self) -> Self {
        Self(self.0.each_ref().map(|(file, _)| Self::file(file.clone())))
    }

    fn file(file: PathBuf) -> (PathBuf, Option<Vec<u8>>) {
        let bytes = std::fs::read(&file).ok();
        (file, bytes)
    }

    fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(file, _)| file.as_path())
    }
}

/// Tells the log how a reload goes: what is not read must not hold up the host.
struct Log;

impl Progress for Log {
    fn notice(&self, text: &str) {
        warn!("{text}");
    }

    fn compiling(&self, component: &ComponentName, _: usize, _: usize) {
        info!("compiling {component}");
    }
}
