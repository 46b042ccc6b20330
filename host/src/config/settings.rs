//! Settings: local.settings.json and the environment, which nothing else in the host reads.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Deserialize;
use serde_json::Value;

use super::{
    error::{ConfigError, ConfigErrorKind},
    pointer::join,
};

/// The file of settings, beside host.json.
pub const LOCAL_FILE_NAME: &str = "local.settings.json";

/// The environment of the process, read once.
#[derive(Clone, Default)]
pub struct Environment {
    variables: Arc<BTreeMap<String, String>>,
}

impl Environment {
    /// Reads the environment of this process. Variables that are not UTF-8 are left out.
    pub fn read() -> Self {
        let variables = std::env::vars_os();
        variables
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect()
    }

    /// One variable; an empty one is as good as none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// `XDG_DATA_HOME`, or `.local/share` in the home folder: where what must stay is kept.
    pub fn data_home(&self) -> Option<PathBuf> {
        self.folder("XDG_DATA_HOME").or_else(|| Some(self.folder("HOME")?.join(".local/share")))
    }

    /// `MCPFN_LOG`: what is logged, as a filter of `tracing`.
    pub fn log_filter(&self) -> Option<&str> {
        self.get("MCPFN_LOG")
    }

    /// `NO_COLOR`: set to anything, output has no colors. See <https://no-color.org>.
    pub fn no_color(&self) -> bool {
        self.get("NO_COLOR").is_some()
    }

    /// The XDG base directory specification has relative paths ignored.
    fn folder(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(variables: I) -> Self {
        Self { variables: Arc::new(variables.into_iter().collect()) }
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.variables.keys()).finish()
    }
}

/// What `%Name%` and connections are looked up in. [`Debug`](fmt::Debug) shows names, never values.
#[derive(Clone, Default)]
pub struct Settings {
    local: Arc<BTreeMap<String, String>>,
    environment: Environment,
}

/// local.settings.json; its other sections are for Azure's tools.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct LocalSettings {
    is_encrypted: bool,
    values: BTreeMap<String, Value>,
}

impl Settings {
    /// Reads `local.settings.json` of a folder, if there is one. The environment wins, with a notice.
    pub(super) fn load(
        folder: &Path,
        environment: &Environment,
        notices: &mut Vec<String>,
    ) -> Result<Self, ConfigError> {
        let file = folder.join(LOCAL_FILE_NAME);
        let fault = |kind| ConfigError {
            file: file.clone(),
            line: None,
            column: None,
            pointer: String::new(),
            kind,
        };
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { local: Arc::default(), environment: environment.clone() });
            }
            Err(error) => return Err(fault(error.into())),
        };
        let wire: LocalSettings = serde_json::from_str(
            text.strip_prefix('\u{feff}').unwrap_or(&text),
        )
        .map_err(|error| ConfigError {
            line: Some(error.line()),
            column: Some(error.column()),
            // The message of an error of type may quote a value, which may be a secret.
            ..fault(match error.classify() {
                serde_json::error::Category::Data => ConfigErrorKind::Invalid(
                    "expected `IsEncrypted` to be a boolean and `Values` an object".to_owned(),
                ),
                _ => {
                    ConfigErrorKind::Syntax("the text breaks off or is misspelled here".to_owned())
                }
            })
        })?;
        if wire.is_encrypted {
            let reason =
                "encrypted settings cannot be read: run `func settings decrypt`".to_owned();
            return Err(ConfigError {
                pointer: "/IsEncrypted".to_owned(),
                ..fault(ConfigErrorKind::Invalid(reason))
            });
        }
        let mut local = BTreeMap::new();
        for (name, value) in wire.values {
            let text = match value {
                Value::String(text) => text,
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                Value::Null => continue,
                Value::Array(_) | Value::Object(_) => {
                    return Err(ConfigError {
                        pointer: join("/Values", &name),
                        ..fault(ConfigErrorKind::Invalid("expected a string".to_owned()))
                    });
                }
            };
            if environment.get(&name).is_some() {
                notices
                    .push(format!("setting `{name}`: the environment wins over {LOCAL_FILE_NAME}"));
            }
            local.insert(name, text);
        }
        Ok(Self { local: Arc::new(local), environment: environment.clone() })
    }

    /// A setting by its exact name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.environment.get(name).or_else(|| self.local.get(name).map(String::as_str))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("local", &self.local.keys()).finish_non_exhaustive()
    }
}
