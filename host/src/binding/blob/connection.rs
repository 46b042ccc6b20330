//! Connections by name: from host.json, from settings, or the folder that needs no set-up.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use object_store::memory::InMemory;

use super::{
    parts::Parts,
    service::{QueueService, Service},
    store::Store,
};
use crate::{
    binding::{Connections, DeclarationError, expression::replace_settings, http},
    nearest,
};

/// The connection that is meant when none is named.
pub(super) const DEFAULT: &str = "AzureWebJobsStorage";

/// Where blobs are when host.json has no connection to storage, beside it.
const DEFAULT_FOLDER: &str = ".mcpfn/storage";

/// What `memory:` connections hold, by their names: it outlives a reload of the configuration.
#[derive(Clone, Default)]
pub struct Memory(Arc<Mutex<HashMap<String, Arc<InMemory>>>>);

/// Opens connections, each once, and their containers, each once.
#[derive(Debug)]
pub(super) struct Opened {
    connections: Connections,
    services: Mutex<HashMap<String, Service>>,
    stores: Mutex<HashMap<(String, String), Arc<Store>>>,
}

/// A connection with the containers that were opened.
pub(super) struct InUse {
    pub(super) name: String,
    pub(super) service: Service,
    pub(super) containers: Vec<(String, Arc<Store>)>,
}

impl Opened {
    /// Reads every connection of host.json, used or not, so that a mistake shows at the start.
    pub(super) fn new(connections: Connections) -> Result<Self, DeclarationError> {
        let mut services = HashMap::new();
        for (name, url) in &connections.urls {
            let service =
                from_host_json(name, url, &connections).map_err(|reason| fault(name, reason))?;
            services.insert(name.clone(), connections.memory.keep(name, service));
        }
        Ok(Self { connections, services: Mutex::new(services), stores: Mutex::default() })
    }

    /// The container of a connection. Nothing is created and nothing is sent.
    pub(super) fn store(
        &self,
        connection: &str,
        container: &str,
    ) -> Result<Arc<Store>, DeclarationError> {
        let (key, service) = self.service(connection)?;
        let mut stores = self.stores.lock().expect("no thread panics while it holds the lock");
        if let Some(store) = stores.get(&(key.clone(), container.to_owned())) {
            return Ok(Arc::clone(store));
        }
        let opened = service.open(container).map_err(|reason| fault(connection, reason))?;
        let store = Arc::new(opened);
        stores.insert((key, container.to_owned()), Arc::clone(&store));
        Ok(store)
    }

    /// What keeps the queues of a connection, and the name that this has. Nothing is created and nothing is sent.
    pub(super) fn queues(
        &self,
        connection: &str,
    ) -> Result<(String, QueueService), DeclarationError> {
        let (key, service) = self.service(connection)?;
        let queues = service.queues().map_err(|reason| fault(connection, reason))?;
        Ok((key, queues))
    }

    /// The look-up of a setting, for templates.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        (self.connections.settings)(name)
    }

    /// Every connection that host.json has or that was asked for, by name, with what was opened of it.
    pub(super) fn in_use(&self) -> Vec<InUse> {
        let services = self.services.lock().expect("no thread panics while it holds the lock");
        let stores = self.stores.lock().expect("no thread panics while it holds the lock");
        let mut in_use: Vec<InUse> = services
            .iter()
            .filter(|(_, service)| !matches!(service, Service::Http))
            .map(|(name, service)| {
                let mut containers: Vec<_> = stores
                    .iter()
                    .filter(|((connection, _), _)| connection == name)
                    .map(|((_, container), store)| (container.clone(), Arc::clone(store)))
                    .collect();
                containers.sort_by(|(one, _), (other, _)| one.cmp(other));
                InUse { name: name.clone(), service: service.clone(), containers }
            })
            .collect();
        in_use.sort_by(|one, other| one.name.cmp(&other.name));
        in_use
    }

    /// Azure's order: the name itself, then with the prefix `AzureWebJobs`; host.json before settings, and a text
    /// before parts.
    fn service(&self, connection: &str) -> Result<(String, Service), DeclarationError> {
        let names = [connection.to_owned(), format!("AzureWebJobs{connection}")];
        let mut services = self.services.lock().expect("no thread panics while it holds the lock");
        for name in &names {
            if let Some(service) = services.get(name) {
                return Ok((name.clone(), service.clone()));
            }
            if let Some(service) = self.by_settings(name) {
                let service = service.map_err(|reason| fault(connection, reason))?;
                let service = self.connections.memory.keep(name, service);
                services.insert(name.clone(), service.clone());
                return Ok((name.clone(), service));
            }
        }
        // What is no storage takes none away.
        let is_storage =
            |(name, _): &(String, String)| !matches!(services.get(name), Some(Service::Http));
        if !self.connections.urls.iter().any(is_storage) && names.iter().any(|name| name == DEFAULT)
        {
            let service = Service::Folder(self.connections.root.join(DEFAULT_FOLDER));
            services.insert(DEFAULT.to_owned(), service.clone());
            return Ok((DEFAULT.to_owned(), service));
        }
        let storages = self.connections.urls.iter().filter(|url| is_storage(url));
        Err(fault(connection, absent(connection, storages.map(|(name, _)| name.as_str()))))
    }

    fn by_settings(&self, name: &str) -> Option<Result<Service, String>> {
        let setting = |name: &str| self.setting(name);
        let parts = Parts::new(name, &setting);
        match parts.setting(name) {
            Some(text) => Some(Service::parse(&text, &self.connections.root, &parts)),
            None => Service::of_parts(&parts),
        }
    }
}

impl Memory {
    /// The memory that this connection had before, if it is one.
    fn keep(&self, connection: &str, service: Service) -> Service {
        let Service::Memory(fresh) = service else { return service };
        let mut kept = self.0.lock().expect("no thread panics while it holds the lock");
        Service::Memory(Arc::clone(kept.entry(connection.to_owned()).or_insert(fresh)))
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not what is in it.
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}

fn absent<'n>(connection: &str, known: impl Iterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.collect();
    // What is meant where none is named is a folder of its own only while no other storage is configured.
    if connection == DEFAULT && !known.is_empty() {
        return format!(
            "is meant where a binding names no connection, and does not exist beside `{}`: define it in `connections` \
             of host.json, such as `\"{DEFAULT}\": {{ \"url\": \"file:./{DEFAULT_FOLDER}\" }}`",
            known.join("`, `")
        );
    }
    let hint = nearest::hint(connection, known);
    format!(
        "storage account connection string `{connection}` does not exist{hint}: define it in `connections` of \
         host.json, as a setting in local.settings.json, or as an environment variable"
    )
}

fn fault(connection: &str, reason: String) -> DeclarationError {
    DeclarationError::Connection { connection: connection.to_owned(), reason }
}

fn from_host_json(name: &str, url: &str, connections: &Connections) -> Result<Service, String> {
    // What is secret in the url of a service, they know who ask it.
    if !http::is_service(url) && Service::is_secret(url) {
        return Err("a key does not belong in host.json: put it into a setting (the whole connection as `%SETTING%`, \
                    or the key as `NAME__part`)"
            .to_owned());
    }
    let settings = |name: &str| (connections.settings)(name);
    let text = replace_settings(url, &settings)?;
    if http::is_service(text.text()) {
        return Ok(Service::Http);
    }
    Service::parse(text.text(), &connections.root, &Parts::new(name, &settings))
}
