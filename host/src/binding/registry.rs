//! The one list of binding types, by name.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::PathBuf,
    sync::Arc,
};

use futures_util::future::join_all;

use super::{
    BindingType, DeclarationError, InputBinding, Memory, OutputBinding, Probe, Scope, blob::Blob,
    http::Http, queue::Queues,
};
use crate::{
    function::{BindingDecl, Container, ContainerDecl},
    nearest,
};

/// Looks a setting up by its exact name.
pub(super) type SettingLookup = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What bindings reach storage through.
pub struct Connections {
    /// The folder of host.json, to which paths are relative.
    pub root: PathBuf,
    /// The connections of host.json: name and url, as written.
    pub urls: Vec<(String, String)>,
    /// The headers of connections to services: the connection, and names and values as written.
    pub headers: Vec<(String, Vec<(String, String)>)>,
    /// Looks a setting up by its exact name: `%Setting%` and connection strings.
    pub settings: SettingLookup,
    /// What `memory:` connections held so far.
    pub memory: Memory,
}

impl std::fmt::Debug for Connections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A url may hold a key: names only.
        let names: Vec<_> = self.urls.iter().map(|(name, _)| name).collect();
        f.debug_struct("Connections")
            .field("root", &self.root)
            .field("names", &names)
            .finish_non_exhaustive()
    }
}

/// Every binding type, by name.
#[derive(Debug)]
pub struct Registry {
    blobs: Arc<Blob>,
    types: BTreeMap<&'static str, Arc<dyn BindingType>>,
}

impl Registry {
    /// Makes all types ready; a connection that cannot work is an error, used or not.
    pub fn new(connections: Connections) -> Result<Self, DeclarationError> {
        let http = Arc::new(Http::new(&connections)?);
        let blobs = Arc::new(Blob::new(connections)?);
        let queues = Arc::new(Queues::new(Arc::clone(&blobs)));
        let types: [Arc<dyn BindingType>; 3] = [Arc::clone(&blobs) as _, http, queues];
        Ok(Self { blobs, types: types.into_iter().map(|kind| (kind.name(), kind)).collect() })
    }

    /// Makes an input; `scope` is what its template may name.
    pub fn input(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn InputBinding>, DeclarationError> {
        self.kind(declaration)?.input(declaration, scope)
    }

    /// Makes an output; `scope` is what its template may name.
    pub fn output(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn OutputBinding>, DeclarationError> {
        self.kind(declaration)?.output(declaration, scope)
    }

    /// Opens a container for a function that uses it by itself.
    pub fn container(
        &self,
        declared: &ContainerDecl,
    ) -> Result<Arc<dyn Container>, DeclarationError> {
        self.blobs.container(declared)
    }

    /// Tries every connection, in the order of their names, for every type that uses it.
    pub async fn probe(&self) -> Vec<Probe> {
        let probes = join_all(self.types.values().map(|kind| kind.probe())).await;
        let mut merged: BTreeMap<String, Probe> = BTreeMap::new();
        for probe in probes.into_iter().flatten() {
            match merged.entry(probe.connection.clone()) {
                Entry::Vacant(entry) => {
                    entry.insert(probe);
                }
                // Blobs come first, and know where the connection leads.
                Entry::Occupied(mut entry) => entry.get_mut().findings.extend(probe.findings),
            }
        }
        merged.into_values().collect()
    }

    fn kind(&self, declaration: &BindingDecl) -> Result<&dyn BindingType, DeclarationError> {
        let kind = declaration.kind.as_str();
        if let Some(found) = self.types.get(kind) {
            return Ok(found.as_ref());
        }
        let hint = nearest::hint(kind, self.types.keys().copied());
        Err(DeclarationError::UnknownType { kind: kind.to_owned(), hint })
    }
}
