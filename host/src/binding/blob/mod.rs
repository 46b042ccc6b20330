//! The binding type `blob`: blobs that are read, listed, written or deleted around a function, as its declaration says.
//!
//! [`connection`] finds what a connection name means, [`service`] what is written there and in the settings beside it
//! ([`parts`]); [`store`] is one container of it, on files ([`folder`]) or on `object_store` ([`object`]). [`azure`], [`s3`] and [`gcs`] are constructors, over what they share ([`cloud`]).
//! [`declaration`] reads what is declared, [`input`], [`output`] and [`container`] are what becomes of it. [`fault`]
//! says what went wrong, [`probe`] tries all there is.

mod azure;
mod cloud;
mod connection;
mod container;
mod declaration;
mod detail;
mod fault;
mod folder;
mod gcs;
mod input;
mod object;
mod output;
mod parts;
mod path;
mod probe;
mod s3;
#[cfg(test)]
mod server;
mod service;
mod store;

pub use self::connection::Memory;
pub(in crate::binding) use self::{
    azure::QueueAccount,
    detail::Detail,
    fault::{of_causes, of_io, of_status},
    service::QueueService,
};

use std::sync::Arc;

use async_trait::async_trait;

use self::{
    connection::Opened,
    container::OpenContainer,
    declaration::{Declared, Operation},
    fault::Fault,
    input::{ListInput, ReadInput},
    output::{DeleteOutput, WriteOutput},
    path::BlobPath,
    store::Store,
};
use super::{
    BindingData, BindingError, BindingType, Connections, DeclarationError, InputBinding,
    OutputBinding, Probe, Scope, Target,
};
use crate::function::{BindingDecl, Container, ContainerDecl};

/// The binding type `blob`.
#[derive(Debug)]
pub(super) struct Blob {
    opened: Opened,
}

/// Where one declared blob is, and how it is spoken of.
#[derive(Debug)]
struct Place {
    connection: String,
    path: BlobPath,
    store: Arc<Store>,
    max_bytes: u64,
}

impl Blob {
    /// Reads the connections of host.json.
    pub(super) fn new(connections: Connections) -> Result<Self, DeclarationError> {
        Ok(Self { opened: Opened::new(connections)? })
    }

    /// A container that a function opens itself.
    pub(super) fn container(
        &self,
        declared: &ContainerDecl,
    ) -> Result<Arc<dyn Container>, DeclarationError> {
        path::check_container(&declared.name)?;
        let connection = declared.connection.as_deref().filter(|name| !name.is_empty());
        let connection = connection.unwrap_or(connection::DEFAULT);
        let store = self.opened.store(connection, &declared.name)?;
        Ok(Arc::new(OpenContainer::new(connection.to_owned(), store)))
    }

    /// What keeps the queues of a connection, with its name and its own name, which may be another.
    pub(super) fn queues(
        &self,
        connection: Option<&str>,
    ) -> Result<(String, String, QueueService), DeclarationError> {
        let connection = connection.unwrap_or(connection::DEFAULT);
        let (key, service) = self.opened.queues(connection)?;
        Ok((connection.to_owned(), key, service))
    }

    /// The look-up of a setting, for declarations of other types.
    pub(super) fn setting_of(&self, name: &str) -> Option<String> {
        self.opened.setting(name)
    }

    fn place(&self, declared: &Declared, path: BlobPath) -> Result<Place, DeclarationError> {
        let store = self.opened.store(&declared.connection, path.container())?;
        let connection = declared.connection.clone();
        Ok(Place { connection, path, store, max_bytes: declared.max_bytes })
    }

    fn setting(&self) -> impl Fn(&str) -> Option<String> {
        |name| self.opened.setting(name)
    }
}

#[async_trait]
impl BindingType for Blob {
    fn name(&self) -> &'static str {
        "blob"
    }

    async fn probe(&self) -> Vec<Probe> {
        probe::all(&self.opened).await
    }

    fn input(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn InputBinding>, DeclarationError> {
        let declared = Declared::input(declaration)?;
        let setting = self.setting();
        if declared.operation == Operation::List {
            let path = BlobPath::parse_prefix(&declared.path, &setting, scope)?;
            let place = self.place(&declared, path)?;
            return Ok(Box::new(ListInput::new(place, &declared, &setting, scope)?));
        }
        let path = BlobPath::parse(&declared.path, &setting, scope)?;
        Ok(Box::new(ReadInput::new(self.place(&declared, path)?, declared.form)))
    }

    fn output(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn OutputBinding>, DeclarationError> {
        let declared = Declared::output(declaration, scope)?;
        let setting = self.setting();
        let path = BlobPath::parse(&declared.path, &setting, scope)?;
        let place = self.place(&declared, path)?;
        if declared.operation == Operation::Delete {
            return Ok(Box::new(DeleteOutput::new(place)));
        }
        Ok(Box::new(WriteOutput::new(place, declared, &setting, scope)?))
    }
}

impl Place {
    fn target(&self, data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        Ok(self.path.resolve(data, self.store.max_segment())?.map(Target::new))
    }

    fn fault(&self, fault: Fault) -> BindingError {
        fault.of_binding(&self.connection, self.max_bytes)
    }
}
