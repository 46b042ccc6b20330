//! JSON Schema as far as the types of arguments and results need it, in the order in which it is written.

use std::fmt::Write;

use crate::wit::{InputSchema, PropertyKind, ToolProperty};

/// The JSON Schema of one value.
///
/// ```
/// use mcpfn_sdk::Schema;
///
/// let schema = Schema::array(Schema::one_of(["red", "green"])).keyword("maxItems", "3");
/// assert_eq!(
///     schema.to_json(),
///     r#"{"type":"array","items":{"type":"string","enum":["red","green"]},"maxItems":3}"#
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    shape: Shape,
    keywords: Vec<(&'static str, String)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Any,
    Scalar(PropertyKind),
    OneOf(Vec<String>),
    Array(Box<Schema>),
    Object(Vec<Property>),
    Map(Box<Schema>),
}

impl Schema {
    /// Any JSON value.
    pub fn any() -> Self {
        Shape::Any.into()
    }

    /// `"type": "string"`.
    pub fn string() -> Self {
        Shape::Scalar(PropertyKind::String).into()
    }

    /// `"type": "integer"`.
    pub fn integer() -> Self {
        Shape::Scalar(PropertyKind::Integer).into()
    }

    /// `"type": "number"`.
    pub fn number() -> Self {
        Shape::Scalar(PropertyKind::Number).into()
    }

    /// `"type": "boolean"`.
    pub fn boolean() -> Self {
        Shape::Scalar(PropertyKind::Boolean).into()
    }

    /// `"type": "object"` of no particular shape.
    pub fn opaque_object() -> Self {
        Shape::Scalar(PropertyKind::Object).into()
    }

    /// One of a few texts.
    pub fn one_of<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Self {
        Shape::OneOf(values.into_iter().map(Into::into).collect()).into()
    }

    /// An array of `items`.
    pub fn array(items: Self) -> Self {
        Shape::Array(Box::new(items)).into()
    }

    /// An object with these properties.
    pub fn object(properties: Vec<Property>) -> Self {
        Shape::Object(properties).into()
    }

    /// An object with any keys and values of one kind.
    pub fn map(values: Self) -> Self {
        Shape::Map(Box::new(values)).into()
    }

    /// Adds a keyword of JSON Schema; `json` is its value, as JSON text.
    #[must_use]
    pub fn keyword(mut self, name: &'static str, json: impl Into<String>) -> Self {
        self.keywords.push((name, json.into()));
        self
    }

    /// The schema as JSON text.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        self.write(None, &mut json);
        json
    }

    fn write(&self, description: Option<&str>, json: &mut String) {
        json.push('{');
        match &self.shape {
            Shape::Any => {}
            Shape::Scalar(kind) => push(json, "type", quoted(kind_name(*kind))),
            Shape::OneOf(values) => {
                push(json, "type", "\"string\"");
                push(json, "enum", list(values.iter().map(|value| quoted(value))));
            }
            Shape::Array(items) => {
                push(json, "type", "\"array\"");
                push(json, "items", items.to_json());
            }
            Shape::Object(properties) => {
                push(json, "type", "\"object\"");
                push(json, "properties", properties_json(properties));
                let required = properties.iter().filter(|property| property.required);
                push(json, "required", list(required.map(|property| quoted(&property.name))));
            }
            Shape::Map(values) => {
                push(json, "type", "\"object\"");
                push(json, "additionalProperties", values.to_json());
            }
        }
        for (name, value) in &self.keywords {
            push(json, name, value);
        }
        if let Some(description) = description {
            push(json, "description", quoted(description));
        }
        json.push('}');
    }

    /// The kind, whether it is an array, and the values allowed, if the short form of the contract can say all of it.
    fn flat(&self) -> Option<(PropertyKind, bool, Vec<String>)> {
        if !self.keywords.is_empty() {
            return None;
        }
        match &self.shape {
            Shape::Scalar(kind) => Some((*kind, false, Vec::new())),
            Shape::OneOf(values) => Some((PropertyKind::String, false, values.clone())),
            Shape::Array(items) => match items.flat()? {
                (kind, false, values) => Some((kind, true, values)),
                (_, true, _) => None,
            },
            Shape::Any | Shape::Object(_) | Shape::Map(_) => None,
        }
    }
}

impl From<Shape> for Schema {
    fn from(shape: Shape) -> Self {
        Self { shape, keywords: Vec::new() }
    }
}

/// A named value of an object, or one argument of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The name, as it is written in JSON.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Whether it must be there.
    pub required: bool,
    /// What it may be.
    pub schema: Schema,
}

/// The short form where every argument fits into it, so that the host publishes exactly what Azure would; else a
/// document.
pub(crate) fn input_schema(properties: Vec<Property>) -> InputSchema {
    let flat: Option<Vec<_>> = properties.iter().map(flat_property).collect();
    match flat {
        Some(flat) => InputSchema::Properties(flat),
        None => InputSchema::Schema(Schema::object(properties).to_json()),
    }
}

fn flat_property(property: &Property) -> Option<ToolProperty> {
    let (kind, array, enum_values) = property.schema.flat()?;
    Some(ToolProperty {
        name: property.name.clone(),
        kind,
        description: property.description.clone().filter(|text| !text.is_empty()),
        required: property.required,
        array,
        enum_values,
    })
}

fn properties_json(properties: &[Property]) -> String {
    let mut json = String::from("{");
    for property in properties {
        let mut schema = String::new();
        property.schema.write(property.description.as_deref(), &mut schema);
        push(&mut json, &property.name, schema);
    }
    json.push('}');
    json
}

fn kind_name(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::String => "string",
        PropertyKind::Number => "number",
        PropertyKind::Integer => "integer",
        PropertyKind::Boolean => "boolean",
        PropertyKind::Object => "object",
    }
}

/// Appends `"name":value` to an object that is being written.
pub(crate) fn push(json: &mut String, name: &str, value: impl AsRef<str>) {
    if !json.ends_with('{') {
        json.push(',');
    }
    // Writing to a `String` cannot fail.
    let _ = write!(json, "{}:{}", quoted(name), value.as_ref());
}

pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is always valid JSON")
}

pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}
