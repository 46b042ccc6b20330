//! Configuration: host.json, local.settings.json and the environment, read once and checked whole.
//!
//! [`SCHEMA`] is the one description of host.json: it is published, tells known keys from unknown ones
//! and checks every value. What passes is turned into a [`Config`], which needs no further checks.

mod check;
mod document;
mod error;
mod host_json;
mod limits;
mod pointer;
mod schema;
mod settings;
#[cfg(test)]
mod tests;

pub use self::{
    error::{ConfigError, ConfigErrorKind},
    schema::SCHEMA,
    settings::{Environment, LOCAL_FILE_NAME, Settings},
};

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use self::document::Document;
use crate::function::{BindingDecl, Concurrency, ContainerDecl, Limits, ToolProperty, Warm};

/// The name of the file, when none is given.
pub const FILE_NAME: &str = "host.json";

const DEFAULT_BODY_MIB: usize = 4;

/// All that a host is told, checked.
#[derive(Debug)]
pub struct Config {
    /// host.json, as it was named.
    pub file: PathBuf,
    /// Its folder, absolute; paths in it are relative to this one.
    pub root: PathBuf,
    /// `extensions.mcp`: what the server says of itself.
    pub server: Server,
    /// `functionTimeout` and `limits`: what one invocation of any function may use.
    pub limits: Limits,
    /// `maxConcurrency` and `maxQueue`: how many invocations of any function there may be.
    pub concurrency: Concurrency,
    /// `engine`: how instances are made.
    pub engine: Engine,
    /// `bodyLimitMiB`: the largest request, in bytes.
    pub max_body: usize,
    /// What clients of 2025-11-25 and before get.
    pub legacy: Legacy,
    /// `connections`, in order.
    pub connections: Vec<Connection>,
    /// `functions` as an object, in order.
    pub functions: Vec<FunctionConfig>,
    /// `functions` as an array: the only functions that run.
    pub filter: Option<Vec<String>>,
    /// What a person should know and nothing stops for, one sentence each.
    pub notices: Vec<String>,
    /// What belongs to the user and to no project is kept here; none, when there is no home folder.
    pub data_folder: Option<PathBuf>,
    /// `%Settings%` and connection strings.
    pub settings: Settings,
    document: Document,
}

/// What the server says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// `serverName`
    pub name: String,
    /// `serverVersion`
    pub version: String,
    /// `instructions`
    pub instructions: Option<String>,
    /// `inlineReferences`: whether lists show schemas without references.
    pub inline_references: bool,
}

/// What clients of 2025-11-25 and before get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legacy {
    /// `sessionTimeout`: how long is kept what waits for a client.
    pub session_timeout: Duration,
    /// `legacySse`: whether the transport of 2024-11-05 is served.
    pub sse: bool,
}

/// How instances are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// `maxInstances`: how many invocations run at once; none is as many as fit into the machine.
    pub max_instances: Option<u32>,
    /// `stackKiB`: the stack of a guest, in bytes.
    pub stack: usize,
    /// `pooling`: whether memory is reserved once.
    pub pooling: bool,
    /// `pagemapScan`: whether the kernel tells which pages to reset.
    pub pagemap_scan: bool,
}

/// A named way to storage.
#[derive(Clone, PartialEq, Eq)]
pub struct Connection {
    /// Its name.
    pub name: String,
    /// `url`, as written: settings in it are not yet replaced.
    pub url: String,
    /// `headers`, as written, in order.
    pub headers: Vec<(String, String)>,
    /// Where it is in host.json.
    pub pointer: String,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The url may hold a key.
        f.debug_struct("Connection").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What host.json changes of one function. None: the component's word stands.
#[derive(Clone, Debug)]
pub struct FunctionConfig {
    /// The name of the function.
    pub name: String,
    /// Where it is in host.json: `/functions/save_snippet`.
    pub pointer: String,
    /// Where its `mcpToolTrigger` is.
    pub trigger_at: Option<String>,
    /// `toolName`
    pub tool_name: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `toolProperties`
    pub properties: Option<Vec<ToolProperty>>,
    /// What one invocation may use.
    pub limits: Limits,
    /// How many invocations there may be at once.
    pub concurrency: Concurrency,
    /// `warm`: which instances are kept.
    pub warm: Option<Warm>,
    /// The containers that it may open, where the component declares them.
    pub containers: Vec<ContainerDecl>,
    /// Every binding but the trigger, in order.
    pub bindings: Vec<BindingDecl>,
    /// Where each of [`bindings`](Self::bindings) is: `/functions/save_snippet/bindings/0`.
    pub bindings_at: Vec<String>,
}

impl Config {
    /// Reads a host.json that somebody named: it has to be there.
    pub fn load(path: &Path, environment: &Environment) -> Result<Self, ConfigError> {
        let bytes = std::fs::read(path).map_err(|source| unreadable(path, source))?;
        Self::parse(path, &bytes, environment)
    }

    /// Reads the host.json of a folder; where there is none, every setting has its default.
    pub fn load_default(folder: &Path, environment: &Environment) -> Result<Self, ConfigError> {
        let path = folder.join(FILE_NAME);
        match std::fs::read(&path) {
            Ok(bytes) => Self::parse(&path, &bytes, environment),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let mut config = Self::parse(&path, br#"{"version":"2.0"}"#, environment)?;
                config
                    .notices
                    .insert(0, format!("no {FILE_NAME} here: every setting has its default"));
                Ok(config)
            }
            Err(source) => Err(unreadable(&path, source)),
        }
    }

    fn parse(path: &Path, bytes: &[u8], environment: &Environment) -> Result<Self, ConfigError> {
        let absolute = std::path::absolute(path).map_err(|source| unreadable(path, source))?;
        let root = absolute.parent().unwrap_or(&absolute).to_owned();
        let (document, value, mut notices) = Document::read(path, bytes)?;
        check::values(&document, &value)?;
        let wire = host_json::HostJson::read(&document, value)?;
        let settings = Settings::load(&root, environment, &mut notices)?;
        Ok(Self {
            file: path.to_owned(),
            root,
            server: wire.server(),
            limits: wire.limits(&document)?,
            concurrency: wire.concurrency(),
            engine: wire.engine(),
            max_body: wire.body_limit_mib.unwrap_or(DEFAULT_BODY_MIB) << 20,
            legacy: wire.legacy(&document)?,
            connections: wire.connections(),
            functions: wire.functions(&document)?,
            filter: wire.filter(),
            notices,
            data_folder: environment.data_home().map(|home| home.join("mcpfn")),
            settings,
            document,
        })
    }

    /// The keys of host.json with other values than here that count only from the next start on.
    pub fn fixed_keys_that_differ(&self, other: &Self) -> Vec<&'static str> {
        let mut keys = Vec::new();
        if self.max_body != other.max_body {
            keys.push("bodyLimitMiB");
        }
        if self.engine != other.engine {
            keys.push("engine");
        }
        if self.legacy.session_timeout != other.legacy.session_timeout {
            keys.push("extensions.mcp.sessionTimeout");
        }
        if self.legacy.sse != other.legacy.sse {
            keys.push("extensions.mcp.legacySse");
        }
        keys
    }

    /// An error at a place in host.json, for what only others can find: a binding type, a template.
    pub fn invalid(&self, pointer: &str, reason: String) -> ConfigError {
        self.document.error(pointer, ConfigErrorKind::Invalid(reason))
    }
}

fn unreadable(path: &Path, source: std::io::Error) -> ConfigError {
    ConfigError {
        file: path.to_owned(),
        line: None,
        column: None,
        pointer: String::new(),
        kind: source.into(),
    }
}
