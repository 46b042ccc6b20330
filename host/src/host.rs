//! The composition root: from configuration and a folder of components to a host that serves.

mod assemble;
mod changes;
mod component;
mod effective;
mod error;
mod files;
mod loader;

pub use self::{
    changes::Changes,
    error::LoadError,
    loader::{Loader, Look, Progress, Reload},
};

use std::sync::Arc;

use crate::{
    binding::{Probe, Registry},
    function::{Catalog, Invocation, Outcome},
    invoke::{InvokeError, Invoker},
};

/// What the server says of itself.
#[derive(Clone, Debug)]
pub struct ServerInfo {
    /// `serverName` of host.json.
    pub name: String,
    /// `serverVersion` of host.json.
    pub version: String,
    /// `instructions` of host.json.
    pub instructions: Option<String>,
    /// `inlineReferences` of host.json.
    pub references: References,
}

/// What lists show of the references in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// They stay.
    Kept,
    /// Where it can be, what they name stands in their place.
    Inlined,
}

/// All that serves: what the server says of itself, the catalog, and what runs it. One version: what changes in the
/// folder or in host.json is in the next one, which a [`Loader`] makes.
#[derive(Debug)]
pub struct Host {
    server: ServerInfo,
    catalog: Catalog,
    invoker: Invoker,
    registry: Arc<Registry>,
}

impl Host {
    /// Tries every connection, and what bindings use of it.
    pub async fn probe(&self) -> Vec<Probe> {
        self.registry.probe().await
    }

    /// What the server says of itself.
    pub fn server(&self) -> &ServerInfo {
        &self.server
    }

    /// Every function.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Runs one function. Dropping the future ends it, whatever it is at.
    pub async fn invoke(&self, invocation: &Arc<Invocation>) -> Result<Outcome, InvokeError> {
        self.invoker.invoke(invocation).await
    }
}
