//! A host, and what it keeps blobs in.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::{Azurite, Builder, Host, Kept, S3};

/// Tools that open the container `runtime` by themselves.
const OPENERS: [&str; 7] = ["get", "put", "create", "add_one", "delete", "stat", "list"];

/// What keeps blobs.
pub(super) enum Backend {
    /// A folder that several hosts may share.
    Folder(TempDir),
    /// The host itself.
    Memory,
    /// Azure Blob Storage.
    Azurite(Box<Azurite>),
    /// S3.
    S3(Box<S3>),
}

impl Backend {
    pub(super) fn folder() -> Self {
        Self::Folder(TempDir::new().expect("a folder"))
    }

    pub(super) async fn azurite() -> Self {
        Self::Azurite(Box::new(Azurite::start(Kept::InMemory).await))
    }

    pub(super) async fn s3() -> Self {
        Self::S3(Box::new(S3::start().await))
    }

    /// A host on it, with all the tools of `storage`.
    pub(super) async fn host(&self) -> Host {
        self.builder(json!({})).start().await
    }

    /// The same with more in host.json.
    pub(super) fn builder(&self, more: Value) -> Builder {
        let mut host_json = json!({ "version": "2.0", "connections": {}, "functions": {} });
        for tool in OPENERS {
            host_json["functions"][format!("container_{tool}")] =
                json!({ "containers": [{ "name": "runtime" }] });
        }
        let url = match self {
            Self::Folder(folder) => format!("file:{}", folder.path().display()),
            Self::Memory => "memory:".to_owned(),
            Self::Azurite(_) => "%Azurite%".to_owned(),
            Self::S3(_) => "s3:".to_owned(),
        };
        host_json["connections"]["AzureWebJobsStorage"] = json!({ "url": url });
        for (key, value) in more.as_object().expect("an object") {
            host_json[key] = value.clone();
        }
        let mut builder = Host::builder()
            .programs(&["storage"])
            .host_json(host_json)
            .environment("NO_PROXY", "127.0.0.1");
        match self {
            Self::Folder(_) | Self::Memory => {}
            Self::Azurite(azurite) => {
                builder = builder.environment("Azurite", &azurite.connection_string());
            }
            Self::S3(s3) => {
                for (name, value) in s3.environment("AzureWebJobsStorage") {
                    builder = builder.environment(&name, &value);
                }
            }
        }
        builder
    }
}
