//! `object_store` in this process: what the host's storage is compared with, and what looks at what it left.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use bench::{
    load::Work,
    snippets::{N_NAMES, check, name, snippet},
};
use object_store::{
    ObjectStore, ObjectStoreExt as _, azure::MicrosoftAzureBuilder, local::LocalFileSystem,
    path::Path,
};

use super::{Operation, azurite};

/// The container of the sample.
const CONTAINER: &str = "snippets";

/// Where snippets are.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// The folder of a connection.
    Folder(PathBuf),
    /// The same, where each file and its folder are on disk before a save counts as done.
    Synced(PathBuf),
    /// Azurite at a port.
    Azurite(u16),
}

/// What is measured.
#[derive(Debug)]
pub(super) struct Direct {
    store: Arc<dyn ObjectStore>,
    /// What comes before the container's own names.
    prefix: &'static str,
    operation: Operation,
    length: usize,
}

impl Place {
    /// Opens it, for one runtime: sockets belong to it.
    pub(super) fn open(&self, operation: Operation, length: usize) -> Result<Direct> {
        let (store, prefix): (Arc<dyn ObjectStore>, _) = match self {
            Self::Folder(root) => (Arc::new(LocalFileSystem::new_with_prefix(root)?), CONTAINER),
            Self::Synced(root) => {
                let store = LocalFileSystem::new_with_prefix(root)?.with_fsync(true);
                (Arc::new(store), CONTAINER)
            }
            Self::Azurite(port) => {
                let store = MicrosoftAzureBuilder::new()
                    .with_account(azurite::ACCOUNT)
                    .with_access_key(azurite::KEY)
                    .with_endpoint(azurite::endpoint(*port))
                    .with_allow_http(true)
                    .with_container_name(CONTAINER);
                (Arc::new(store.build()?), "")
            }
        };
        Ok(Direct { store, prefix, operation, length })
    }

    /// Puts a snippet of this length under each name.
    pub(super) fn fill(&self, length: usize) -> Result<()> {
        let direct = self.open(Operation::Save, length)?;
        runtime()?.block_on(async {
            for number in 0..N_NAMES {
                direct.once(number).await.map_err(anyhow::Error::msg)?;
            }
            Ok(())
        })
    }

    /// Looks for a whole snippet of this length under each name, and for nothing else there.
    pub(super) fn verify(&self, length: usize) -> Result<()> {
        let direct = self.open(Operation::Get, length)?;
        runtime()?.block_on(async {
            for number in 0..N_NAMES {
                direct.once(number).await.map_err(anyhow::Error::msg)?;
            }
            let folder = Path::from(direct.prefix);
            let listed = direct.store.list_with_delimiter(Some(&folder)).await?;
            let n_objects = listed.objects.len() as u64;
            ensure!(n_objects == N_NAMES, "{n_objects} blobs instead of {N_NAMES}");
            Ok(())
        })
    }
}

impl Direct {
    fn path(&self, number: u64) -> Path {
        Path::from(format!("{}/{}.json", self.prefix, name(number)))
    }

    async fn save(&self, number: u64) -> object_store::Result<Duration> {
        let (path, snippet) = (self.path(number), snippet(number, self.length));
        let began = Instant::now();
        self.store.put(&path, snippet.into()).await?;
        Ok(began.elapsed())
    }

    async fn get(&self, number: u64) -> Result<Duration> {
        let path = self.path(number);
        let began = Instant::now();
        let bytes = self.store.get(&path).await?.bytes().await?;
        let took = began.elapsed();
        let text = str::from_utf8(&bytes).context("not text")?;
        check(number, text, self.length).map_err(anyhow::Error::msg)?;
        Ok(took)
    }
}

impl Work for Direct {
    async fn once(&self, number: u64) -> Result<Duration, String> {
        match self.operation {
            Operation::Save => self.save(number).await.map_err(|error| error.to_string()),
            Operation::Get => self.get(number).await.map_err(|error| error.to_string()),
        }
    }
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
