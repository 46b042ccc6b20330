//! What a resource returns, and what the client gets for it.

use std::fmt::Display;

use serde::Serialize;
use serde_json::Value;

use crate::{Json, Stop, returned, stop::Refusal, wit};

/// The contents of a resource, where text or bytes alone do not say enough.
///
/// ```
/// use mcpfn_sdk::{ResourceContents, mcp_resource};
///
/// /// A drawing, and its caption.
/// #[mcp_resource(uri = "drawing://{name}")]
/// fn drawing(name: String) -> Vec<ResourceContents> {
///     vec![
///         ResourceContents::text(format!("<svg><title>{name}</title></svg>")).mime_type("image/svg+xml"),
///         ResourceContents::text(name.clone()).at(format!("drawing://{name}#caption")),
///     ]
/// }
/// # fn main() { assert_eq!(drawing("cat".into()).len(), 2) }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ResourceContents(wit::ResourceContents);

impl ResourceContents {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(wit::ResourceBody::Text(text.into()))
    }

    /// Bytes.
    pub fn bytes(data: impl Into<Vec<u8>>) -> Self {
        Self::new(wit::ResourceBody::Bytes(data.into()))
    }

    /// Says at which URI it is, if not at the one that was asked for.
    pub fn at(mut self, uri: impl Into<String>) -> Self {
        self.0.uri = Some(uri.into());
        self
    }

    /// Says the media type, if it is not the declared one.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.0.mime_type = Some(mime_type.into());
        self
    }

    /// Adds `_meta`.
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.0.meta = Some(meta.to_string());
        self
    }

    fn new(body: wit::ResourceBody) -> Self {
        Self(wit::ResourceContents { uri: None, mime_type: None, body, meta: None })
    }
}

/// A type that a resource may return.
///
/// | returned | the client gets |
/// | --- | --- |
/// | `String`, `&'static str` | text |
/// | `Vec<u8>` | bytes |
/// | [`ResourceContents`], a `Vec` of them | those |
/// | [`Json<T>`](Json), [`Value`], any other `Serialize` | the JSON text |
/// | `None` | that there is no such resource |
/// | `Err(E)`, `E: Display` | an error with that message |
/// | `Err(`[`Stop`]`)` | the questions, or an error |
#[diagnostic::on_unimplemented(
    message = "a resource cannot return `{Self}`",
    label = "not a type of contents",
    note = "return `String`, `Vec<u8>`, `ResourceContents`, any `Serialize`, or an `Option` or a `Result` of these"
)]
pub trait ResourceReturn {
    /// What the invocation came to.
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure>;
}

impl ResourceReturn for String {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Text(self))
    }
}

impl ResourceReturn for &'static str {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Text(self.to_owned()))
    }
}

impl ResourceReturn for Vec<u8> {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Bytes(self))
    }
}

impl ResourceReturn for ResourceContents {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        vec![self].into_contents()
    }
}

impl ResourceReturn for Vec<ResourceContents> {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        Ok(wit::Outcome::Contents(self.into_iter().map(|contents| contents.0).collect()))
    }
}

impl ResourceReturn for Value {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        returned::serialized(&self)
    }
}

impl<T: Serialize> ResourceReturn for Json<T> {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        returned::serialized(&self.0)
    }
}

/// `None`: there is no such resource.
impl<T: ResourceReturn> ResourceReturn for Option<T> {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or(Ok(wit::Outcome::Nothing), T::into_contents)
    }
}

impl<T: ResourceReturn, E: Display> ResourceReturn for Result<T, E> {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or_else(Refusal::into_outcome, T::into_contents)
    }
}

impl<T: ResourceReturn> ResourceReturn for Result<T, Stop> {
    fn into_contents(self) -> Result<wit::Outcome, wit::Failure> {
        self.map_or_else(Refusal::into_outcome, T::into_contents)
    }
}
