//! A version of the host, made of its components and host.json.

use std::{collections::HashMap, sync::Arc};

use super::{Host, LoadError, References, ServerInfo, component::Loaded, effective};
use crate::{
    binding::{Connections, DeclarationError, Memory, Registry},
    config::{Config, Connection},
    function::{Catalog, ComponentName, Function},
    guest::Engine,
    invoke::{Admission, Callable, Invoker, PrepareError},
};

/// What one version was made of, so that the next one can be made of it where nothing changed.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) config: Arc<Config>,
    pub(super) components: HashMap<Arc<ComponentName>, Arc<Loaded>>,
    pub(super) host: Arc<Host>,
}

/// What all versions share, for as long as the process runs.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) engine: Arc<Engine>,
    /// The places of all invocations, whatever version they run in.
    pub(super) admission: Arc<Admission>,
    /// What `memory:` connections hold.
    pub(super) memory: Memory,
}

impl Version {
    /// Applies host.json to the components and makes every function ready. What is as it was `before` is used again.
    ///
    /// `told` gets what a person should know of what is new.
    pub(super) fn assemble(
        shared: &Shared,
        config: &Arc<Config>,
        components: &[Arc<Loaded>],
        before: Option<&Self>,
        told: &mut Vec<String>,
    ) -> Result<Self, LoadError> {
        let before_for_config = before.filter(|before| Arc::ptr_eq(&before.config, config));
        let (mut declared, mut skills) = (Vec::new(), Vec::new());
        for loaded in components {
            let name = loaded.component.name();
            skills.extend(loaded.declared.skills.iter().cloned());
            let is_new = !before.is_some_and(|before| before.has(loaded));
            let mut silent = Vec::new();
            let is_told = is_new || before_for_config.is_none();
            let told = if is_told { &mut *told } else { &mut silent };
            for declaration in &loaded.declared.functions {
                if is_new {
                    told.extend(
                        declaration.notices.iter().map(|notice| format!("{name}: {notice}")),
                    );
                }
                declared.push(effective::function(declaration.clone(), name, config, told)?);
            }
        }
        let mut silent = Vec::new();
        let notices = if before_for_config.is_none() { &mut *told } else { &mut silent };
        match (effective::check_names(config, &declared, notices), before_for_config) {
            (Ok(()), _) => {}
            (Err(error), None) => return Err(error),
            // It was there when these settings were read: a component that is removed takes its functions along.
            (Err(error), Some(_)) => told.push(error.sentence()),
        }
        declared.retain(|function| effective::is_enabled(config, function));
        let catalog = Catalog::new(declared, skills).map_err(LoadError::NameTaken)?;

        let registry = match before_for_config {
            Some(before) => Arc::clone(&before.host.registry),
            None => Arc::new(registry(config, &shared.memory)?),
        };
        let components: HashMap<_, _> = components
            .iter()
            .map(|loaded| (Arc::clone(loaded.component.name()), Arc::clone(loaded)))
            .collect();
        let callables = catalog
            .functions()
            .iter()
            .map(|function| {
                let loaded = &components[&function.component];
                if let Some(callable) =
                    before_for_config.and_then(|before| before.callable(function, loaded))
                {
                    return Ok(callable);
                }
                let component = Arc::clone(&loaded.component);
                component.fits(&function.limits).map_err(|source| LoadError::Component {
                    component: Arc::clone(&function.component),
                    source,
                })?;
                let mut notices = Vec::new();
                let callable =
                    Callable::new(function, component, &registry, &shared.admission, &mut notices)
                        .map_err(|error| locate(config, function, error))?;
                let (component, name) = (&function.component, &function.name);
                told.extend(
                    notices
                        .iter()
                        .map(|notice| format!("{component}: function `{name}`: {notice}")),
                );
                Ok(Arc::new(callable))
            })
            .collect::<Result<_, LoadError>>()?;
        let server = ServerInfo {
            name: config.server.name.clone(),
            version: config.server.version.clone(),
            instructions: config.server.instructions.clone(),
            references: if config.server.inline_references {
                References::Inlined
            } else {
                References::Kept
            },
        };
        let invoker = Invoker::new(callables, Arc::clone(&shared.admission));
        let host = Arc::new(Host { server, catalog, invoker, registry });
        Ok(Self { config: Arc::clone(config), components, host })
    }

    /// Whether it was made with this component.
    pub(super) fn has(&self, loaded: &Arc<Loaded>) -> bool {
        let own = self.components.get(loaded.component.name());
        own.is_some_and(|own| Arc::ptr_eq(own, loaded))
    }

    /// Whether it was made of these, and of nothing else.
    pub(super) fn is_made_of(&self, config: &Arc<Config>, components: &[Arc<Loaded>]) -> bool {
        Arc::ptr_eq(&self.config, config)
            && self.components.len() == components.len()
            && components.iter().all(|loaded| self.has(loaded))
    }

    fn callable(&self, function: &Function, loaded: &Arc<Loaded>) -> Option<Arc<Callable>> {
        if !self.has(loaded) {
            return None;
        }
        let own = self.host.catalog.function(&function.name)?;
        (own.component == function.component)
            .then(|| Arc::clone(&self.host.invoker.callables()[own.index]))
    }
}

/// What bindings reach storage through.
fn registry(config: &Config, memory: &Memory) -> Result<Registry, LoadError> {
    let settings = config.settings.clone();
    let connections = Connections {
        root: config.root.clone(),
        urls: config
            .connections
            .iter()
            .map(|connection| (connection.name.clone(), connection.url.clone()))
            .collect(),
        headers: config
            .connections
            .iter()
            .map(|connection| (connection.name.clone(), connection.headers.clone()))
            .collect(),
        settings: Arc::new(move |name| settings.get(name).map(str::to_owned)),
        memory: memory.clone(),
    };
    Registry::new(connections).map_err(|error| {
        let (name, place) = match &error {
            DeclarationError::Connection { connection, .. } => (connection.as_str(), "url"),
            DeclarationError::Header { connection, .. } => (&**connection, "headers"),
            _ => ("", ""),
        };
        let named = |connection: &&Connection| connection.name == name;
        let pointer = match config.connections.iter().find(named) {
            Some(connection) => format!("{}/{place}", connection.pointer),
            None => "/connections".to_owned(),
        };
        LoadError::Config(config.invalid(&pointer, error.to_string()))
    })
}

/// Says where a declaration that cannot work was written: in host.json, or in the component.
fn locate(config: &Config, function: &Function, error: PrepareError) -> LoadError {
    if let PrepareError::Binding { index, source, .. } = &error {
        let pointer = match effective::place_of(config, function, &function.bindings[*index]) {
            Some(binding) => Some(format!("{binding}/{}", source.key())),
            // Whoever declared the binding, connections are a matter of configuration.
            None if matches!(source, DeclarationError::Connection { .. }) => {
                Some("/connections".to_owned())
            }
            // The component's own path, which fitted the arguments that the component declares.
            None if matches!(source, DeclarationError::Template { .. }) => {
                effective::properties_at(config, function)
            }
            None => None,
        };
        if let Some(pointer) = pointer {
            return LoadError::Config(config.invalid(&pointer, source.to_string()));
        }
    }
    LoadError::Function {
        component: Arc::clone(&function.component),
        function: function.name.clone(),
        source: error,
    }
}
