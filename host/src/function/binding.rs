//! Declared storage: a named value that is read before, or written after, a function runs.

use serde_json::Map;

use super::Origin;

/// The output that takes what the function returned.
pub const RETURN: &str = "$return";

/// Whether a binding is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Read before the function runs.
    Input,
    /// Written after it succeeded.
    Output,
}

/// One binding as it was declared, in the component or in host.json.
#[derive(Clone, Debug)]
pub struct BindingDecl {
    /// The parameter it fills, the output it takes, or [`RETURN`].
    pub name: String,
    /// `blob`, or any other type that the registry has.
    pub kind: String,
    /// Read or written.
    pub direction: Direction,
    /// What the type asks for: `path`, `connection` and the like.
    pub config: Map<String, serde_json::Value>,
    /// Where it was declared.
    pub origin: Origin,
}

/// A container of blobs that a function opens itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerDecl {
    /// Its name, the first part of a path of a blob.
    pub name: String,
    /// The connection; none for the one that is meant when none is named.
    pub connection: Option<String>,
}

/// A value as it comes from, or goes to, a binding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// UTF-8 text.
    Text(String),
    /// Bytes of no particular encoding.
    Bytes(Vec<u8>),
    /// A JSON document.
    Json(String),
}

impl Value {
    /// The bytes that a storage keeps.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) | Self::Json(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// What an input binding read. No value: there was nothing at that place, or no place to look at.
#[derive(Clone, Debug)]
pub struct Input {
    /// The parameter it fills.
    pub name: String,
    /// What was read.
    pub value: Option<Value>,
}

/// A value that the guest set for an output binding.
#[derive(Clone, Debug)]
pub struct Output {
    /// The binding it goes to.
    pub name: String,
    /// What is written.
    pub value: Value,
}
