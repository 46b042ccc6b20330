//! The binding type `blob`: a whole blob is read before, or replaced after, a function runs.
//!
//! [`connection`] finds what a connection name means, [`store`] is one container of it, on files
//! ([`folder`]) or on `object_store`; only this folder names that crate.

mod azure;
mod connection;
mod fault;
mod folder;
mod object;
mod path;
mod store;

pub use self::connection::Memory;

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value as JsonValue};

use self::{
    connection::Opened,
    fault::{Fault, MAX_BLOB_BYTES},
    path::BlobPath,
    store::Store,
};
use super::{
    BindingData, BindingError, BindingType, Connections, DeclarationError, InputBinding,
    OutputBinding, Scope, Target,
};
use crate::{
    function::{BindingDecl, Value},
    nearest,
};

const KEYS: [&str; 3] = ["path", "connection", "dataType"];

/// The binding type `blob`.
#[derive(Debug)]
pub(super) struct Blob {
    opened: Opened,
}

/// One declared blob, as an input and as an output.
#[derive(Debug)]
struct BlobBinding {
    connection: String,
    path: BlobPath,
    store: Arc<Store>,
    form: DataType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DataType {
    String,
    Binary,
}

impl Blob {
    /// Reads the connections of host.json.
    pub(super) fn new(connections: Connections) -> Result<Self, DeclarationError> {
        Ok(Self { opened: Opened::new(connections)? })
    }

    fn binding(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<BlobBinding>, DeclarationError> {
        let config = &declaration.config;
        if let Some(key) = config.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(fault(key, format!("unknown key{}", nearest::hint(key, KEYS))));
        }
        let Some(path) = text(config, "path")? else {
            return Err(fault("path", "is missing (expected `container/name`)".to_owned()));
        };
        let form = match text(config, "dataType")? {
            None | Some("string") => DataType::String,
            Some("binary") => DataType::Binary,
            Some("stream") => {
                return Err(fault(
                    "dataType",
                    "`stream` is not there yet (expected `string`, `binary`)".to_owned(),
                ));
            }
            Some(other) => {
                let hint = nearest::hint(other, ["string", "binary"]);
                return Err(fault("dataType", format!("unknown `{other}`{hint}")));
            }
        };
        let connection = match text(config, "connection")? {
            None | Some("") => connection::DEFAULT,
            Some(name) => name,
        };
        let path = BlobPath::parse(path, &|name| self.opened.setting(name), scope)?;
        let store = self.opened.store(connection, path.container())?;
        Ok(Box::new(BlobBinding { connection: connection.to_owned(), path, store, form }))
    }
}

impl BindingType for Blob {
    fn name(&self) -> &'static str {
        "blob"
    }

    fn input(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn InputBinding>, DeclarationError> {
        Ok(self.binding(declaration, scope)?)
    }

    fn output(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn OutputBinding>, DeclarationError> {
        Ok(self.binding(declaration, scope)?)
    }
}

impl BlobBinding {
    fn target(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        Ok(self.path.resolve(data, self.store.max_segment())?.map(Target::new))
    }

    fn fault(&self, fault: Fault) -> BindingError {
        match fault {
            Fault::TooLarge => BindingError::Content {
                reason: format!("the blob is larger than {} MiB", MAX_BLOB_BYTES / 1024 / 1024),
            },
            Fault::Storage(source) => {
                BindingError::Storage { connection: self.connection.clone(), source }
            }
        }
    }
}

#[async_trait]
impl InputBinding for BlobBinding {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        self.target(data)
    }

    async fn read(&self, target: &Target) -> Result<Option<Value>, BindingError> {
        let bytes = self.store.read(target.as_str()).await.map_err(|fault| self.fault(fault))?;
        // What is not UTF-8 stays bytes: whether that will do is for the function to say.
        Ok(bytes.map(|bytes| match self.form {
            DataType::Binary => Value::Bytes(bytes),
            DataType::String => String::from_utf8(bytes)
                .map_or_else(|error| Value::Bytes(error.into_bytes()), Value::Text),
        }))
    }
}

#[async_trait]
impl OutputBinding for BlobBinding {
    fn resolve(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        self.target(data)
    }

    async fn write(&self, target: &Target, bytes: &[u8]) -> Result<(), BindingError> {
        self.store.write(target.as_str(), bytes).await.map_err(|fault| self.fault(fault))
    }
}

fn text<'c>(
    config: &'c Map<String, JsonValue>,
    key: &str,
) -> Result<Option<&'c str>, DeclarationError> {
    match config.get(key) {
        None | Some(JsonValue::Null) => Ok(None),
        Some(JsonValue::String(text)) => Ok(Some(text)),
        Some(_) => Err(fault(key, "expected a string".to_owned())),
    }
}

fn fault(key: &str, reason: String) -> DeclarationError {
    DeclarationError::Config { key: key.to_owned(), reason }
}
