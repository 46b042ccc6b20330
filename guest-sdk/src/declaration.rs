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
    pub bindings: &'static [BlobSpec],
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
    pub bindings: &'static [BlobSpec],
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
    pub bindings: &'static [BlobSpec],
}

/// What an attribute says about a blob.
#[derive(Debug)]
pub struct BlobSpec {
    /// The name of the binding.
    pub name: &'static str,
    /// Whether it is read or written.
    pub direction: wit::Direction,
    /// The path, with its templates.
    pub path: &'static str,
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
        function(self.name, wit::Trigger::Tool(trigger), self.bindings, self.headers)
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
        function(self.function, wit::Trigger::Resource(trigger), self.bindings, self.headers)
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
        function(self.name, wit::Trigger::Prompt(trigger), self.bindings, self.headers)
    }
}

impl BlobSpec {
    fn describe(&self) -> wit::Binding {
        let mut config = String::from("{");
        schema::push(&mut config, "path", schema::quoted(self.path));
        if let Some(connection) = self.connection {
            schema::push(&mut config, "connection", schema::quoted(connection));
        }
        config.push('}');
        wit::Binding {
            name: self.name.to_owned(),
            kind: String::from("blob"),
            direction: self.direction,
            config,
        }
    }
}

fn function(
    name: &str,
    trigger: wit::Trigger,
    bindings: &[BlobSpec],
    headers: Option<&str>,
) -> wit::Function {
    let headers = headers.map(|json| wit::Field {
        name: String::from("headers"),
        value: wit::Value::Json(json.to_owned()),
    });
    wit::Function {
        name: name.to_owned(),
        trigger,
        bindings: bindings.iter().map(BlobSpec::describe).collect(),
        options: headers.into_iter().collect(),
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(ToOwned::to_owned)
}
