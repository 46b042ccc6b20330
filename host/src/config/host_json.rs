//! The wire form of host.json, after its schema was checked, and what it comes to.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Connection, DEFAULT_TIMEOUT, FunctionConfig, Server,
    document::Document,
    error::{ConfigError, ConfigErrorKind},
    pointer::join,
};
use crate::{
    function::{BindingDecl, Direction, Origin, PropertyKind, ToolProperty},
    nearest,
};

const TRIGGER: &str = "mcpToolTrigger";

/// host.json.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct HostJson {
    function_timeout: Option<String>,
    #[serde(rename = "memoryLimitMiB")]
    pub(super) memory_limit_mib: Option<usize>,
    #[serde(rename = "bodyLimitMiB")]
    pub(super) body_limit_mib: Option<usize>,
    extensions: Extensions,
    connections: Map<String, Value>,
    functions: Option<Functions>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Extensions {
    mcp: Mcp,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Mcp {
    server_name: Option<String>,
    server_version: Option<String>,
    instructions: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Functions {
    Filter(Vec<String>),
    Overrides(Map<String, Value>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FunctionWire {
    bindings: Vec<Map<String, Value>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct TriggerWire {
    tool_name: Option<String>,
    description: Option<String>,
    tool_properties: Option<Vec<PropertyWire>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PropertyWire {
    property_name: String,
    property_type: String,
    description: Option<String>,
    #[serde(default)]
    is_required: bool,
    #[serde(default)]
    is_array: bool,
    #[serde(default)]
    enum_values: Vec<String>,
}

impl HostJson {
    /// Takes a value that fits the schema.
    pub(super) fn read(document: &Document, value: Value) -> Result<Self, ConfigError> {
        read(document, "", value)
    }

    pub(super) fn server(&self) -> Server {
        let mcp = &self.extensions.mcp;
        Server {
            name: mcp.server_name.clone().unwrap_or_else(|| "mcpfn".to_owned()),
            version: mcp.server_version.clone().unwrap_or_else(|| "1.0.0".to_owned()),
            instructions: mcp.instructions.clone(),
        }
    }

    pub(super) fn function_timeout(
        &self,
        document: &Document,
    ) -> Result<Option<Duration>, ConfigError> {
        match self.function_timeout.as_deref() {
            None => Ok(Some(DEFAULT_TIMEOUT)),
            Some("-1") => Ok(None),
            Some(text) => {
                let duration =
                    duration(text).filter(|duration| *duration >= Duration::from_secs(1));
                let reason = || {
                    ConfigErrorKind::Invalid(format!("expected at least `00:00:01`, got `{text}`"))
                };
                duration.map(Some).ok_or_else(|| document.error("/functionTimeout", reason()))
            }
        }
    }

    pub(super) fn connections(&self) -> Vec<Connection> {
        let url =
            |value: &Value| value.get("url").and_then(Value::as_str).unwrap_or_default().to_owned();
        let connection = |(name, value): (&String, &Value)| Connection {
            name: name.clone(),
            url: url(value),
            pointer: join("/connections", name),
        };
        self.connections.iter().map(connection).collect()
    }

    pub(super) fn filter(&self) -> Option<Vec<String>> {
        match &self.functions {
            Some(Functions::Filter(names)) => Some(names.clone()),
            Some(Functions::Overrides(_)) | None => None,
        }
    }

    pub(super) fn functions(
        &self,
        document: &Document,
    ) -> Result<Vec<FunctionConfig>, ConfigError> {
        match &self.functions {
            Some(Functions::Overrides(functions)) => functions
                .iter()
                .map(|(name, value)| function(document, name, value.clone()))
                .collect(),
            Some(Functions::Filter(_)) | None => Ok(Vec::new()),
        }
    }
}

fn function(document: &Document, name: &str, value: Value) -> Result<FunctionConfig, ConfigError> {
    let pointer = join("/functions", name);
    let wire: FunctionWire = read(document, &pointer, value)?;
    let mut function = FunctionConfig {
        name: name.to_owned(),
        trigger_at: None,
        tool_name: None,
        description: None,
        properties: None,
        bindings: Vec::with_capacity(wire.bindings.len()),
        bindings_at: Vec::with_capacity(wire.bindings.len()),
        pointer: pointer.clone(),
    };
    for (index, members) in wire.bindings.into_iter().enumerate() {
        let at = format!("{pointer}/bindings/{index}");
        let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
        if kind == TRIGGER {
            if let Some(first) = function.trigger_at.replace(at.clone()) {
                let reason = format!("a function has one trigger, and {first} is one");
                return Err(document.error(&at, ConfigErrorKind::Invalid(reason)));
            }
            let trigger: TriggerWire = read(document, &at, Value::Object(members))?;
            function.tool_name = trigger.tool_name;
            function.description = trigger.description;
            function.properties =
                trigger.tool_properties.map(|all| all.into_iter().map(property).collect());
            continue;
        }
        if nearest::nearest(kind, [TRIGGER]).is_some() {
            let reason = format!("unknown type `{kind}`{}", nearest::hint(kind, [TRIGGER]));
            return Err(document.error(&join(&at, "type"), ConfigErrorKind::Invalid(reason)));
        }
        let binding = binding(members);
        if let Some(first) = function.bindings.iter().position(|other| other.name == binding.name) {
            let reason = format!(
                "`{}` is declared by {} already",
                binding.name, function.bindings_at[first]
            );
            return Err(document.error(&join(&at, "name"), ConfigErrorKind::Invalid(reason)));
        }
        function.bindings.push(binding);
        function.bindings_at.push(at);
    }
    Ok(function)
}

fn binding(mut members: Map<String, Value>) -> BindingDecl {
    let mut take = |key: &str| match members.shift_remove(key) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (kind, direction, name) = (take("type"), take("direction"), take("name"));
    let direction = if direction == "in" { Direction::Input } else { Direction::Output };
    BindingDecl { name, kind, direction, config: members, origin: Origin::HostJson }
}

fn property(wire: PropertyWire) -> ToolProperty {
    let kind = PropertyKind::ALL.into_iter().find(|kind| kind.as_str() == wire.property_type);
    ToolProperty {
        name: wire.property_name,
        kind: kind.expect("the schema lists the types, a test compares them"),
        description: wire.description,
        required: wire.is_required,
        array: wire.is_array,
        enum_values: wire.enum_values,
    }
}

/// `hh:mm:ss` with days before it if need be; the schema has checked the form.
fn duration(text: &str) -> Option<Duration> {
    let (days, time) = text.split_once('.').unwrap_or(("0", text));
    let mut parts = time.split(':').map(str::parse::<u64>);
    let mut next = || parts.next()?.ok();
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    let days: u64 = days.parse().ok()?;
    Some(Duration::from_secs(((days * 24 + hours) * 60 + minutes) * 60 + seconds))
}

/// The schema was checked, so a failure is a difference between it and the wire form.
fn read<T: for<'de> Deserialize<'de>>(
    document: &Document,
    pointer: &str,
    value: Value,
) -> Result<T, ConfigError> {
    serde_json::from_value(value)
        .map_err(|error| document.error(pointer, ConfigErrorKind::Invalid(error.to_string())))
}
