//! Connections by name: from host.json, from a setting, or the folder that needs no set-up.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use object_store::memory::InMemory;

use super::{
    azure::{self, Account, QueueAccount},
    folder::Folder,
    object::Object,
    store::Store,
};
use crate::{
    binding::{Connections, DeclarationError, expression::replace_settings, http},
    nearest,
};

/// The connection that is meant when none is named.
pub(super) const DEFAULT: &str = "AzureWebJobsStorage";

/// Where blobs are when no connection is configured at all, beside host.json.
const DEFAULT_FOLDER: &str = ".mcpfn/storage";

const FORMS: &str =
    "`file:PATH`, `memory:`, `UseDevelopmentStorage=true` or an Azure connection string";

/// What `memory:` connections hold, by their names: it outlives a reload of the configuration.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<HashMap<String, Arc<InMemory>>>>);

/// Opens connections, each once, and their containers, each once.
#[derive(Debug)]
pub(super) struct Opened {
    connections: Connections,
    services: Mutex<HashMap<String, Service>>,
    stores: Mutex<HashMap<(String, String), Arc<Store>>>,
}

/// What a connection leads to.
#[derive(Clone, Debug)]
enum Service {
    Folder(PathBuf),
    Memory(Arc<InMemory>),
    Azure(Arc<Account>),
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

impl Opened {
    /// Reads every connection of host.json, used or not, so that a mistake shows at the start.
    pub(super) fn new(connections: Connections) -> Result<Self, DeclarationError> {
        let mut services = HashMap::new();
        for (name, url) in &connections.urls {
            let service =
                from_host_json(url, &connections).map_err(|reason| fault(name, reason))?;
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
        let store = Arc::new(match service {
            Service::Folder(root) => Store::Folder(Folder::new(&root, container)),
            Service::Memory(store) => Store::Object(Arc::new(Object {
                store,
                folder: Some(container.to_owned()),
                block_bytes: usize::MAX,
                maker: None,
            })),
            Service::Azure(account) => Store::Object(Arc::new(
                azure::open(&account, container).map_err(|reason| fault(connection, reason))?,
            )),
            Service::Http => {
                let reason = format!("leads to a service, which keeps no blobs (expected {FORMS})");
                return Err(fault(connection, reason));
            }
        });
        stores.insert((key, container.to_owned()), Arc::clone(&store));
        Ok(store)
    }

    /// What keeps the queues of a connection. Nothing is created and nothing is sent.
    pub(super) fn queues(&self, connection: &str) -> Result<QueueService, DeclarationError> {
        match self.service(connection)?.1 {
            Service::Folder(root) => Ok(QueueService::Folder(root)),
            Service::Azure(account) => {
                let queues = account.queues().map_err(|reason| fault(connection, reason))?;
                Ok(QueueService::Azure(queues))
            }
            Service::Memory(_) | Service::Http => {
                let reason = "has no queues (expected an Azure or a `file:` connection)";
                Err(fault(connection, reason.to_owned()))
            }
        }
    }

    /// The look-up of a setting, for templates.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        (self.connections.settings)(name)
    }

    /// Azure's order: the name itself, then with the prefix `AzureWebJobs`; host.json before settings.
    fn service(&self, connection: &str) -> Result<(String, Service), DeclarationError> {
        let names = [connection.to_owned(), format!("AzureWebJobs{connection}")];
        let mut services = self.services.lock().expect("no thread panics while it holds the lock");
        for name in &names {
            if let Some(service) = services.get(name) {
                return Ok((name.clone(), service.clone()));
            }
            let setting = self.setting(name).filter(|value| !value.trim().is_empty());
            if let Some(value) = setting {
                let service = parse(&value, &self.connections.root)
                    .map_err(|reason| fault(connection, reason))?;
                let service = self.connections.memory.keep(name, service);
                services.insert(name.clone(), service.clone());
                return Ok((name.clone(), service));
            }
        }
        if self.connections.urls.is_empty() && names.iter().any(|name| name == DEFAULT) {
            let service = Service::Folder(self.connections.root.join(DEFAULT_FOLDER));
            services.insert(DEFAULT.to_owned(), service.clone());
            return Ok((DEFAULT.to_owned(), service));
        }
        Err(fault(connection, self.absent(connection)))
    }

    fn absent(&self, connection: &str) -> String {
        let identity = ["serviceUri", "blobServiceUri", "accountName"];
        if let Some(part) =
            identity.iter().find(|part| self.setting(&format!("{connection}__{part}")).is_some())
        {
            return format!(
                "`{connection}__{part}` asks for a connection by identity, which this version does not have: \
                 define a connection string as `{connection}`"
            );
        }
        let names = self.connections.urls.iter().map(|(name, _)| name.as_str());
        let hint = nearest::hint(connection, names);
        format!(
            "storage account connection string `{connection}` does not exist{hint}: define it in `connections` of \
             host.json, as a setting in local.settings.json, or as an environment variable"
        )
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

fn fault(connection: &str, reason: String) -> DeclarationError {
    DeclarationError::Connection { connection: connection.to_owned(), reason }
}

fn from_host_json(url: &str, connections: &Connections) -> Result<Service, String> {
    if Account::is_secret(url) {
        return Err("a key does not belong in host.json: put the connection string into a setting and write \
                    `%SETTING%`"
            .to_owned());
    }
    let settings = |name: &str| (connections.settings)(name);
    let replaced = replace_settings(url, &settings)?;
    if http::is_service(replaced.text()) {
        return Ok(Service::Http);
    }
    parse(replaced.text(), &connections.root)
}

/// Reads what a connection is. Errors never hold the text: it may be a secret.
fn parse(text: &str, root: &Path) -> Result<Service, String> {
    let text = text.trim();
    if let Some(path) = text.strip_prefix("file:") {
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
        return Ok(Service::Folder(root.join(path)));
    }
    if text == "memory:" {
        return Ok(Service::Memory(Arc::default()));
    }
    if Account::is_connection_string(text) {
        return Ok(Service::Azure(Arc::new(Account::parse(text)?)));
    }
    Err(format!("cannot be read (expected {FORMS})"))
}
