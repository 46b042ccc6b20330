//! The composition root: from configuration and a folder of components to a host that serves.

mod effective;
mod error;
mod load;

pub use self::{error::LoadError, load::Progress};

use std::{path::Path, sync::Arc};

use crate::{
    config::Config,
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
}

/// All that serves: what the server says of itself, the catalog, and what runs it.
#[derive(Debug)]
pub struct Host {
    server: ServerInfo,
    catalog: Catalog,
    invoker: Invoker,
}

impl Host {
    /// Loads every component of the folder and makes its functions ready. One that cannot serve stops it.
    pub async fn load(
        config: &Config,
        functions: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, LoadError> {
        load::load(config, functions, progress).await
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
