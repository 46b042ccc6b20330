//! The wire form of host.json, after its schema was checked, and what it comes to.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Connection, Engine, FunctionConfig, Legacy, Server,
    document::Document,
    error::{ConfigError, ConfigErrorKind},
    limits::{LimitsWire, WarmWire, at_least_a_second},
    pointer::join,
};
use crate::{
    function::{
        BindingDecl, Concurrency, ContainerDecl, Direction, Limits, Origin, PropertyKind,
        ToolProperty,
    },
    nearest,
};

const TRIGGER: &str = "mcpToolTrigger";

/// Azure's triggers that only a component declares here.
const OTHER_TRIGGERS: [&str; 2] = ["mcpResourceTrigger", "mcpPromptTrigger"];

/// host.json.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct HostJson {
    #[serde(flatten)]
    limits: LimitsWire,
    engine: EngineWire,
    #[serde(rename = "bodyLimitMiB")]
    pub(super) body_limit_mib: Option<usize>,
    extensions: Extensions,
    connections: Map<String, Value>,
    functions: Option<Functions>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct EngineWire {
    max_instances: Option<u32>,
    #[serde(rename = "stackKiB")]
    stack_kib: Option<usize>,
    pooling: Option<bool>,
    pagemap_scan: Option<bool>,
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
    session_timeout: Option<String>,
    legacy_sse: Option<bool>,
    inline_references: Option<bool>,
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
    #[serde(flatten)]
    limits: LimitsWire,
    warm: Option<WarmWire>,
    containers: Vec<ContainerWire>,
}

#[derive(Debug, Deserialize)]
struct ContainerWire {
    name: String,
    #[serde(default)]
    connection: Option<String>,
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
            inline_references: mcp.inline_references.unwrap_or(false),
        }
    }

    pub(super) fn legacy(&self, document: &Document) -> Result<Legacy, ConfigError> {
        let mcp = &self.extensions.mcp;
        let pointer = "/extensions/mcp/sessionTimeout";
        let session_timeout = match mcp.session_timeout.as_deref() {
            None => Duration::from_mins(5),
            Some(text) => at_least_a_second(text, document, pointer)?,
        };
        Ok(Legacy { session_timeout, sse: mcp.legacy_sse.unwrap_or(true) })
    }

    pub(super) fn limits(&self, document: &Document) -> Result<Limits, ConfigError> {
        self.limits.limits(&Limits::default(), document, "")
    }

    pub(super) fn concurrency(&self) -> Concurrency {
        self.limits.concurrency(Concurrency::default())
    }

    pub(super) fn engine(&self) -> Engine {
        let EngineWire { max_instances, stack_kib, pooling, pagemap_scan } = self.engine;
        Engine {
            max_instances,
            stack: stack_kib.unwrap_or(512) << 10,
            pooling: pooling.unwrap_or(true),
            pagemap_scan: pagemap_scan.unwrap_or(true),
        }
    }

    pub(super) fn connections(&self) -> Vec<Connection> {
        let url =
            |value: &Value| value.get("url").and_then(Value::as_str).unwrap_or_default().to_owned();
        let headers = |value: &Value| {
            let headers = value.get("headers").and_then(Value::as_object);
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            headers.into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
        };
        let connection = |(name, value): (&String, &Value)| Connection {
            name: name.clone(),
            url: url(value),
            headers: headers(value),
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
        let limits = self.limits(document)?;
        match &self.functions {
            Some(Functions::Overrides(functions)) => functions
                .iter()
                .map(|(name, value)| {
                    function(document, name, value.clone(), &limits, self.concurrency())
                })
                .collect(),
            Some(Functions::Filter(_)) | None => Ok(Vec::new()),
        }
    }
}

fn function(
    document: &Document,
    name: &str,
    value: Value,
    limits: &Limits,
    concurrency: Concurrency,
) -> Result<FunctionConfig, ConfigError> {
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
        limits: wire.limits.limits(limits, document, &pointer)?,
        concurrency: wire.limits.concurrency(concurrency),
        warm: wire.warm.map(|warm| warm.warm(document, &join(&pointer, "warm"))).transpose()?,
        containers: wire.containers.into_iter().map(container).collect(),
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
        if OTHER_TRIGGERS.contains(&kind) {
            let reason = format!(
                "`{kind}` is declared by the component and cannot be changed here (remove it)"
            );
            return Err(document.error(&join(&at, "type"), ConfigErrorKind::Invalid(reason)));
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

fn container(wire: ContainerWire) -> ContainerDecl {
    ContainerDecl { name: wire.name, connection: wire.connection }
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

/// The schema was checked, so a failure is a difference between it and the wire form.
fn read<T: for<'de> Deserialize<'de>>(
    document: &Document,
    pointer: &str,
    value: Value,
) -> Result<T, ConfigError> {
    serde_json::from_value(value)
        .map_err(|error| document.error(pointer, ConfigErrorKind::Invalid(error.to_string())))
}
