//! JSON Schemas of tools: published as they were given, or made from tool properties in Azure's form.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json, value::RawValue};

/// A JSON text that is passed on as it is.
pub type Json = Box<RawValue>;

/// A JSON Schema whose root is an object: the text that is published and the value that is checked against.
#[derive(Clone, Debug)]
pub struct Schema {
    text: Json,
    value: Value,
}

/// A text that is no schema of a tool.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// Not JSON. RFC 8259 has no comments and no trailing commas.
    #[error("the schema is not JSON")]
    Syntax(#[source] serde_json::Error),
    /// Clients drop every tool of a server that lists one schema like this.
    #[error("the schema must be an object whose `type` is \"object\"")]
    Root,
    /// A schema is an object; `true` and `false` say too little to be published.
    #[error("the schema must be an object")]
    NoObject,
    /// `properties` that are no object.
    #[error("`properties` of the schema must be an object")]
    Properties,
    /// `required` that is no array.
    #[error("`required` of the schema must be an array of strings")]
    Required,
}

impl Schema {
    /// Takes an input schema as it is given.
    pub fn parse_input(text: String) -> Result<Self, SchemaError> {
        let schema = match Self::parse(text) {
            Err(SchemaError::NoObject) => return Err(SchemaError::Root),
            parsed => parsed?,
        };
        let root = &schema.value;
        if root.get("type").and_then(Value::as_str) != Some("object") {
            return Err(SchemaError::Root);
        }
        match root.get("properties") {
            None | Some(Value::Object(_)) => {}
            Some(_) => return Err(SchemaError::Properties),
        }
        match root.get("required") {
            None => Ok(schema),
            Some(Value::Array(names)) if names.iter().all(Value::is_string) => Ok(schema),
            Some(_) => Err(SchemaError::Required),
        }
    }

    /// Takes any schema as it is given: a structured result need not be an object since 2026-07-28.
    pub fn parse(text: String) -> Result<Self, SchemaError> {
        let value: Value = serde_json::from_str(&text).map_err(SchemaError::Syntax)?;
        if !value.is_object() {
            return Err(SchemaError::NoObject);
        }
        Ok(Self { text: RawValue::from_string(text).map_err(SchemaError::Syntax)?, value })
    }

    /// Makes the schema that Azure's extension emits: `type`, `properties`, `required`, in this order.
    pub fn from_properties(properties: &[ToolProperty]) -> Self {
        let mut members = Map::new();
        let mut required: Vec<&str> = Vec::new();
        for property in properties.iter().filter(|property| !property.name.trim().is_empty()) {
            members.insert(property.name.clone(), property.to_schema());
            if property.required && !required.contains(&property.name.as_str()) {
                required.push(&property.name);
            }
        }
        Self::of_value(json!({ "type": "object", "properties": members, "required": required }))
    }

    fn of_value(value: Value) -> Self {
        let text = serde_json::value::to_raw_value(&value).expect("a JSON value has a text");
        Self { text, value }
    }

    /// Makes the schema of arguments that are texts: their names, what they are, and whether a call must give them.
    pub fn of_texts<'a>(
        arguments: impl IntoIterator<Item = (&'a str, Option<&'a str>, bool)>,
    ) -> Self {
        let mut members = Map::new();
        let mut required: Vec<&str> = Vec::new();
        for (name, description, is_required) in arguments {
            let mut schema = Map::from_iter([("type".to_owned(), json!("string"))]);
            if let Some(description) = description {
                schema.insert("description".to_owned(), json!(description));
            }
            members.insert(name.to_owned(), Value::Object(schema));
            if is_required {
                required.push(name);
            }
        }
        Self::of_value(json!({ "type": "object", "properties": members, "required": required }))
    }

    /// The schema of any object.
    pub fn any_object() -> Self {
        Self::of_value(json!({ "type": "object" }))
    }

    /// The text to publish.
    pub fn text(&self) -> &RawValue {
        &self.text
    }

    /// The schema as a value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The names of the properties at the root, in order.
    pub fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let members = self.value.get("properties").and_then(Value::as_object);
        members.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
    }

    /// The names that a call must give.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        let names = self.value.get("required").and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str)
    }
}

/// A JSON Schema type of a tool property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// `string`
    String,
    /// `number`
    Number,
    /// `integer`
    Integer,
    /// `boolean`
    Boolean,
    /// `object`
    Object,
}

impl PropertyKind {
    /// All of them, for messages.
    pub const ALL: [Self; 5] =
        [Self::String, Self::Number, Self::Integer, Self::Boolean, Self::Object];

    /// The name in a JSON Schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Object => "object",
        }
    }
}

/// One argument of a tool in the short form that Azure calls `toolProperties`.
#[derive(Clone, Debug)]
pub struct ToolProperty {
    /// `propertyName`
    pub name: String,
    /// `propertyType`
    pub kind: PropertyKind,
    /// `description`
    pub description: Option<String>,
    /// `isRequired`
    pub required: bool,
    /// `isArray`: the argument is an array of `kind`.
    pub array: bool,
    /// `enumValues`: the values allowed, all of them when empty.
    pub enum_values: Vec<String>,
}

impl ToolProperty {
    fn to_schema(&self) -> Value {
        let mut element = Map::from_iter([("type".to_owned(), json!(self.kind.as_str()))]);
        if !self.enum_values.is_empty() {
            element.insert("enum".to_owned(), json!(self.enum_values));
        }
        let mut schema = if self.array {
            Map::from_iter([
                ("type".to_owned(), json!("array")),
                ("items".to_owned(), Value::Object(element)),
            ])
        } else {
            element
        };
        schema.insert(
            "description".to_owned(),
            json!(self.description.as_deref().unwrap_or_default()),
        );
        Value::Object(schema)
    }
}
