//! Loading: compile, describe, apply host.json, make ready.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Host, LoadError, ServerInfo, effective};
use crate::{
    binding::{Connections, DeclarationError, Registry},
    config::{Config, Connection},
    function::{Catalog, ComponentName, Declaration, Function, Limits},
    guest::{self, Cache, Component, Engine, Pooling},
    invoke::{Admission, Callable, Invoker, PrepareError},
};

/// Where compiled code is kept, beside host.json.
const CACHE_FOLDER: &str = ".mcpfn/cache";

/// Largest component; one with a whole Python in it has 20 MiB.
const MAX_COMPONENT: u64 = 512 << 20;

/// Who is told how loading goes.
pub trait Progress: Sync {
    /// Something the user should know of.
    fn notice(&self, text: &str);

    /// A component is about to be compiled, which can take seconds.
    fn compiling(&self, component: &ComponentName);
}

/// A component and what it says it does.
struct Described {
    component: Arc<Component>,
    declarations: Vec<Declaration>,
}

pub(super) async fn load(
    config: &Config,
    functions: &Path,
    progress: &dyn Progress,
) -> Result<Host, LoadError> {
    for notice in &config.notices {
        progress.notice(notice);
    }
    let engine = Arc::new(Engine::new(&engine_config(config)).map_err(LoadError::Engine)?);
    if let Pooling::OnDemand { reason } = engine.pooling() {
        progress.notice(&format!(
            "no memory pool could be reserved ({reason}): instances are made one by one, which is slower"
        ));
    }
    let cache = Cache::open(&config.root.join(CACHE_FOLDER), config.data_folder.as_deref())
        .unwrap_or_else(|error| {
            progress.notice(&format!("compiled code is not cached in `{CACHE_FOLDER}`: {error}"));
            Cache::none()
        });

    let files = component_files(functions)?;
    if files.is_empty() {
        progress.notice(&format!(
            "no component (`*.wasm`) in `{}`: nothing to serve (run `mcpfn build`)",
            functions.display()
        ));
    }
    let mut components = HashMap::new();
    let mut declared = Vec::new();
    for file in files {
        // One after another: compiling one component already takes all cores.
        let Described { component, declarations } =
            describe(&engine, &cache, &describe_limits(config), functions, &file, progress).await?;
        for declaration in declarations {
            for notice in &declaration.notices {
                progress.notice(&format!("{}: {notice}", component.name()));
            }
            declared.push(effective::function(declaration, component.name(), config, progress)?);
        }
        components.insert(Arc::clone(component.name()), component);
    }
    cache.prune();
    effective::check_names(config, &declared, progress)?;
    declared.retain(|function| effective::is_enabled(config, function));
    let catalog = Catalog::new(declared).map_err(LoadError::NameTaken)?;

    let registry = registry(config)?;
    let admission = Arc::new(Admission::new(engine.max_instances()));
    let callables = catalog
        .functions()
        .iter()
        .map(|function| {
            let component = Arc::clone(&components[&function.component]);
            Callable::new(function, component, &registry, &admission)
                .map_err(|error| locate(config, function, error))
        })
        .collect::<Result<_, _>>()?;
    let server = ServerInfo {
        name: config.server.name.clone(),
        version: config.server.version.clone(),
        instructions: config.server.instructions.clone(),
    };
    Ok(Host { server, catalog, invoker: Invoker::new(callables, admission) })
}

/// The components of a folder, in the order of their names, so that every start and every replica does
/// the same.
fn component_files(folder: &Path) -> Result<Vec<PathBuf>, LoadError> {
    let wrap = |source| LoadError::Folder { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrap)? {
        let path = entry.map_err(wrap)?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !hidden
            && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wasm"))
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

async fn describe(
    engine: &Arc<Engine>,
    cache: &Cache,
    limits: &Limits,
    folder: &Path,
    file: &Path,
    progress: &dyn Progress,
) -> Result<Described, LoadError> {
    let relative = file.strip_prefix(folder).unwrap_or(file);
    let name = Arc::new(ComponentName(
        Path::new(folder.file_name().unwrap_or_default()).join(relative).display().to_string(),
    ));
    let read = |source: io::Error| LoadError::File { component: Arc::clone(&name), source };
    let wrap =
        |source: guest::LoadError| LoadError::Component { component: Arc::clone(&name), source };
    let metadata = fs::metadata(file).map_err(read)?;
    if !metadata.is_file() {
        return Err(read(io::Error::other("it is not a file")));
    }
    if metadata.len() > MAX_COMPONENT {
        return Err(read(io::Error::other(format!(
            "it is larger than {} MiB",
            MAX_COMPONENT >> 20
        ))));
    }
    let wasm = fs::read(file).map_err(read)?;
    if !cache.contains(engine, &wasm) {
        progress.compiling(&name);
    }
    // Nothing is served yet, so the seconds that compiling takes are nobody's wait but ours.
    let component =
        tokio::task::block_in_place(|| Component::load(engine, cache, Arc::clone(&name), &wasm))
            .map_err(wrap)?;
    let declarations = component.describe(limits).await.map_err(wrap)?;
    Ok(Described { component: Arc::new(component), declarations })
}

/// What host.json says of the engine, in the engine's own terms.
fn engine_config(config: &Config) -> guest::Config {
    let said = &config.engine;
    guest::Config {
        max_instances: said.max_instances,
        memory: config.limits.memory,
        stack: said.stack,
        pooling: said.pooling,
        pagemap_scan: said.pagemap_scan,
    }
}

/// A component may need the most that any of its functions may have.
fn describe_limits(config: &Config) -> Limits {
    let functions = config.functions.iter().map(|function| function.limits.memory);
    let memory = functions.fold(config.limits.memory, usize::max);
    Limits { memory, ..config.limits }
}

/// What bindings reach storage through.
fn registry(config: &Config) -> Result<Registry, LoadError> {
    let settings = config.settings.clone();
    let connections = Connections {
        root: config.root.clone(),
        urls: config
            .connections
            .iter()
            .map(|connection| (connection.name.clone(), connection.url.clone()))
            .collect(),
        settings: Arc::new(move |name| settings.get(name).map(str::to_owned)),
    };
    Registry::new(connections).map_err(|error| {
        let named = |connection: &&Connection| {
            matches!(&error, DeclarationError::Connection { connection: name, .. } if *name == connection.name)
        };
        let pointer = match config.connections.iter().find(named) {
            Some(connection) => format!("{}/url", connection.pointer),
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
            None if matches!(source, DeclarationError::Path { .. }) => {
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
