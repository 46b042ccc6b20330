//! What a connection leads to, and the forms in which it is written.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use object_store::memory::InMemory;

use super::{
    azure::{self, Account, QueueAccount},
    folder::Folder,
    gcs,
    object::{Object, Versions},
    parts::Parts,
    s3,
    store::Store,
};

const FORMS: &str = "`file:PATH`, `memory:`, `s3:`, `s3://BUCKET/FOLDER`, `gs:`, `gs://BUCKET/FOLDER`, \
     `azure://ACCOUNT`, `UseDevelopmentStorage=true` or an Azure connection string";

/// What a connection leads to.
#[derive(Clone)]
pub(super) enum Service {
    Folder(PathBuf),
    Memory(Arc<InMemory>),
    Azure(Arc<Account>),
    S3(Arc<s3::Service>),
    Gcs(Arc<gcs::Service>),
    /// Something that speaks HTTP and is no storage.
    Http,
}

/// What keeps the queues of a connection.
#[derive(Debug)]
pub(in crate::binding) enum QueueService {
    /// Files below this folder.
    Folder(PathBuf),
    Azure(QueueAccount),
}

impl Service {
    /// Reads what a connection is. Errors never hold the text: it may be a secret.
    pub(super) fn parse(text: &str, root: &Path, parts: &Parts<'_>) -> Result<Self, String> {
        let text = text.trim();
        if text.contains(char::is_control) {
            return Err("holds a control character".to_owned());
        }
        if let Some(path) = text.strip_prefix("file:") {
            parts.only("a `file:` connection", &[])?;
            return folder(path, root).map(Self::Folder);
        }
        if text == "memory:" {
            parts.only("a `memory:` connection", &[])?;
            return Ok(Self::Memory(Arc::default()));
        }
        if let Some(rest) = text.strip_prefix("s3:") {
            return Ok(Self::S3(Arc::new(s3::Service::parse(rest, parts)?)));
        }
        if let Some(rest) = text.strip_prefix("gs:") {
            return Ok(Self::Gcs(Arc::new(gcs::Service::parse(rest, parts)?)));
        }
        if let Some(account) = text.strip_prefix("azure://") {
            return Ok(Self::Azure(Arc::new(Account::named(account, parts)?)));
        }
        if Account::is_connection_string(text) {
            parts.only("a connection string", &[])?;
            return Ok(Self::Azure(Arc::new(Account::parse(text)?)));
        }
        Err(format!("cannot be read (expected {FORMS})"))
    }

    /// A connection that has no text, only parts. None: it has none of those that would do.
    pub(super) fn of_parts(parts: &Parts<'_>) -> Option<Result<Self, String>> {
        let account = Account::by_identity(parts)?;
        Some(account.map(|account| Self::Azure(Arc::new(account))))
    }

    /// Whether a text holds what only a setting may hold.
    pub(super) fn is_secret(text: &str) -> bool {
        let authority =
            text.split_once("//").and_then(|(_, rest)| rest.split('/').next()).unwrap_or_default();
        Account::is_secret(text) || authority.contains('@') || text.contains("sig=")
    }

    /// A container. Nothing is created and nothing is sent.
    pub(super) fn open(&self, container: &str) -> Result<Store, String> {
        let object = match self {
            Self::Folder(root) => return Ok(Store::Folder(Folder::new(root, container))),
            Self::Memory(store) => Object {
                store: Arc::clone(store) as _,
                folder: Some(container.to_owned()),
                block_bytes: usize::MAX,
                versions: Versions::Etags,
                maker: None,
            },
            Self::Azure(account) => azure::open(account, container)?,
            Self::S3(service) => s3::open(service, container)?,
            Self::Gcs(service) => gcs::open(service, container)?,
            Self::Http => {
                return Err(format!("leads to a service, which keeps no blobs (expected {FORMS})"));
            }
        };
        Ok(Store::Object(Arc::new(object)))
    }

    /// What keeps its queues. Nothing is created and nothing is sent.
    pub(super) fn queues(&self) -> Result<QueueService, String> {
        match self {
            Self::Folder(root) => Ok(QueueService::Folder(root.clone())),
            Self::Azure(account) => account.queues().map(QueueService::Azure),
            Self::Memory(_) | Self::S3(_) | Self::Gcs(_) | Self::Http => {
                Err("has no queues (expected an Azure or a `file:` connection)".to_owned())
            }
        }
    }

    /// What it is, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Folder(_) => "folder",
            Self::Memory(_) => "memory",
            Self::Azure(_) => "azure",
            Self::S3(_) => "s3",
            Self::Gcs(_) => "gcs",
            Self::Http => "http",
        }
    }

    /// Where it is, for people. No secret.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Folder(root) => root.display().to_string(),
            Self::Memory(_) => "this process".to_owned(),
            Self::Azure(account) => account.place(),
            Self::S3(service) => service.place(),
            Self::Gcs(service) => service.place(),
            // Who asks it knows.
            Self::Http => String::new(),
        }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is in memory is as secret as what is in a file.
        f.debug_tuple(self.kind()).field(&self.place()).finish()
    }
}

fn folder(path: &str, root: &Path) -> Result<PathBuf, String> {
    // `file:///srv/blobs` is the URL of an absolute path, `file:./blobs` a path from host.json.
    let path = match path.strip_prefix("//") {
        Some(absolute) if absolute.starts_with('/') => absolute,
        Some(_) => {
            return Err(
                "a `file:` connection names no other machine (expected `file:PATH`)".to_owned()
            );
        }
        None => path,
    };
    if path.is_empty() {
        return Err("a `file:` connection needs a folder (expected `file:PATH`)".to_owned());
    }
    Ok(root.join(path))
}
