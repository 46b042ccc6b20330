//! What the attributes say about a function, and what the host reads of it.

use crate::{Property, schema, wit};

/// What the attribute says about a tool.
#[derive(Debug)]
pub struct ToolSpec {
    /// The name.
    pub name: &'static str,
    /// The name shown to people.
    pub title: Option<&'static str>,
    /// What it does.
    pub description: Option<&'static str>,
    /// A schema in place of that of the parameters.
    pub input_schema: Option<&'static str>,
    /// A schema in place of that of the result.
    pub output_schema: Option<&'static str>,
    /// Annotations, as JSON text.
    pub annotations: Option<&'static str>,
    /// Icons, as JSON text.
    pub icons: Option<&'static str>,
    /// `_meta`, as JSON text.
    pub meta: Option<&'static str>,
    /// Whether it may run in the background.
    pub task: wit::TaskSupport,
    /// The headers that it reads, as JSON text.
    pub headers: Option<&'static str>,
    /// What is read and written.
    pub storage: StorageSpec,
}

/// What the attribute says about a resource.
#[derive(Debug)]
pub struct ResourceSpec {
    /// The name of the function.
    pub function: &'static str,
    /// The URI, or the template.
    pub uri: &'static str,
    /// The name that programs list it by.
    pub name: &'static str,
    /// The name shown to people.
    pub title: Option<&'static str>,
    /// What it is.
    pub description: Option<&'static str>,
    /// The media type.
    pub mime_type: Option<&'static str>,
    /// The size in bytes.
    pub size: Option<u64>,
    /// Annotations, as JSON text.
    pub annotations: Option<&'static str>,
    /// Icons, as JSON text.
    pub icons: Option<&'static str>,
    /// `_meta`, as JSON text.
    pub meta: Option<&'static str>,
    /// The headers that it reads, as JSON text.
    pub headers: Option<&'static str>,
    /// The variables that it suggests values for.
    pub completes: &'static [&'static str],
    /// What is read.
    pub storage: StorageSpec,
}

/// What the attribute says about a prompt.
#[derive(Debug)]
pub struct PromptSpec {
    /// The name.
    pub name: &'static str,
    /// The name shown to people.
    pub title: Option<&'static str>,
    /// What it is for.
    pub description: Option<&'static str>,
    /// Icons, as JSON text.
    pub icons: Option<&'static str>,
    /// `_meta`, as JSON text.
    pub meta: Option<&'static str>,
    /// The headers that it reads, as JSON text.
    pub headers: Option<&'static str>,
    /// What is read.
    pub storage: StorageSpec,
}

/// What the attributes say about storage.
#[derive(Debug)]
pub struct StorageSpec {
    /// What the host reads and writes.
    pub bindings: &'static [BindingSpec],
    /// What the function reads and writes itself.
    pub containers: &'static [ContainerSpec],
}

/// What an attribute says about a binding.
#[derive(Debug)]
pub struct BindingSpec {
    /// The name of the binding.
    pub name: &'static str,
    /// The type, as the host calls it.
    pub kind: &'static str,
    /// Whether it is read or written.
    pub direction: wit::Direction,
    /// What the attribute says: keys of the host and JSON texts.
    pub config: &'static [(&'static str, &'static str)],
    /// What follows from the type of the parameter.
    pub of_carrier: &'static [(&'static str, &'static str)],
}

/// What an attribute says about a container.
#[derive(Debug)]
pub struct ContainerSpec {
    /// The name of the container.
    pub name: &'static str,
    /// The connection, if one is named.
    pub connection: Option<&'static str>,
}

impl ToolSpec {
    /// The declaration for the host.
    pub fn describe(
        &self,
        properties: Vec<Property>,
        output_schema: Option<String>,
    ) -> wit::Function {
        let trigger = wit::ToolTrigger {
            name: self.name.to_owned(),
            title: owned(self.title),
            description: owned(self.description),
            input: match self.input_schema {
                Some(schema) => wit::InputSchema::Schema(schema.to_owned()),
                None => schema::input_schema(properties),
            },
            output_schema: owned(self.output_schema).or(output_schema),
            annotations: owned(self.annotations),
            icons: owned(self.icons),
            meta: owned(self.meta),
            task: self.task,
        };
        function(self.name, wit::Trigger::Tool(trigger), &self.storage, self.headers)
    }
}

impl ResourceSpec {
    /// The declaration for the host.
    pub fn describe(&self) -> wit::Function {
        let trigger = wit::ResourceTrigger {
            uri: self.uri.to_owned(),
            name: self.name.to_owned(),
            title: owned(self.title),
            description: owned(self.description),
            mime_type: owned(self.mime_type),
            size: self.size,
            annotations: owned(self.annotations),
            icons: owned(self.icons),
            meta: owned(self.meta),
            completes: self.completes.iter().map(|&name| name.to_owned()).collect(),
        };
        function(self.function, wit::Trigger::Resource(trigger), &self.storage, self.headers)
    }
}

impl PromptSpec {
    /// The declaration for the host.
    pub fn describe(&self, arguments: Vec<wit::PromptArgument>) -> wit::Function {
        let trigger = wit::PromptTrigger {
            name: self.name.to_owned(),
            title: owned(self.title),
            description: owned(self.description),
            arguments,
            icons: owned(self.icons),
            meta: owned(self.meta),
        };
        function(self.name, wit::Trigger::Prompt(trigger), &self.storage, self.headers)
    }
}

impl BindingSpec {
    fn describe(&self) -> wit::Binding {
        let mut config = String::from("{");
        for (key, value) in self.config.iter().chain(self.of_carrier) {
            schema::push(&mut config, key, value);
        }
        config.push('}');
        wit::Binding {
            name: self.name.to_owned(),
            kind: self.kind.to_owned(),
            direction: self.direction,
            config,
        }
    }
}

impl ContainerSpec {
    fn to_json(&self) -> String {
        let mut json = String::from("{");
        schema::push(&mut json, "name", schema::quoted(self.name));
        if let Some(connection) = self.connection {
            schema::push(&mut json, "connection", schema::quoted(connection));
        }
        json.push('}');
        json
    }
}

fn function(
    name: &str,
    trigger: wit::Trigger,
    storage: &StorageSpec,
    headers: Option<&str>,
) -> wit::Function {
    let option =
        |name: &str, json| wit::Field { name: name.to_owned(), value: wit::Value::Json(json) };
    let containers = storage.containers;
    let containers = (!containers.is_empty())
        .then(|| schema::list(containers.iter().map(ContainerSpec::to_json)));
    wit::Function {
        name: name.to_owned(),
        trigger,
        bindings: storage.bindings.iter().map(BindingSpec::describe).collect(),
        options: [("headers", owned(headers)), ("containers", containers)]
            .into_iter()
            .filter_map(|(name, json)| Some(option(name, json?)))
            .collect(),
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(ToOwned::to_owned)
}
