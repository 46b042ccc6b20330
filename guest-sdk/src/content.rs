//! Content blocks: what a tool answers when one text is not enough.

use serde_json::Value;

use crate::{schema, wit};

/// One content block.
///
/// ```
/// use mcpfn_sdk::{Content, mcp_tool};
///
/// /// Draws a pixel.
/// #[mcp_tool]
/// fn draw() -> Vec<Content> {
///     vec![Content::text("One pixel:"), Content::image(vec![0x89, b'P', b'N', b'G'], "image/png")]
/// }
/// # fn main() { draw(); }
/// ```
#[derive(Clone, Debug)]
pub struct Content(wit::Content);

impl Content {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        wit::Block::Text(text.into()).into()
    }

    /// An image: its bytes and its media type.
    pub fn image(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        wit::Block::Image(media(data, mime_type)).into()
    }

    /// Sound: its bytes and its media type.
    pub fn audio(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> Self {
        wit::Block::Audio(media(data, mime_type)).into()
    }

    /// A resource with text in it.
    pub fn resource(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        resource(uri, mime_type, wit::ResourceBody::Text(text.into()))
    }

    /// A resource with bytes in it.
    pub fn resource_bytes(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        data: impl Into<Vec<u8>>,
    ) -> Self {
        resource(uri, mime_type, wit::ResourceBody::Bytes(data.into()))
    }

    /// A link to a resource that the client may read.
    pub fn link(uri: &str, name: &str) -> Self {
        let mut link = String::from("{");
        schema::push(&mut link, "uri", schema::quoted(uri));
        schema::push(&mut link, "name", schema::quoted(name));
        link.push('}');
        wit::Block::Link(link).into()
    }

    /// A link with all the fields of the protocol's `ResourceLink`: `uri`, `name`, `title`, `mimeType`, ...
    pub fn link_with(fields: Value) -> Self {
        wit::Block::Link(fields.to_string()).into()
    }

    /// A content block of the protocol, unchanged.
    pub fn other(block: Value) -> Self {
        wit::Block::Other(block.to_string()).into()
    }

    /// Adds the protocol's annotations: `audience`, `priority`, `lastModified`.
    #[must_use]
    pub fn annotated(mut self, annotations: Value) -> Self {
        self.0.annotations = Some(annotations.to_string());
        self
    }

    /// Adds `_meta`.
    #[must_use]
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.0.meta = Some(meta.to_string());
        self
    }
}

impl From<wit::Block> for Content {
    fn from(block: wit::Block) -> Self {
        Self(wit::Content { block, annotations: None, meta: None })
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<Content> for wit::Content {
    fn from(content: Content) -> Self {
        content.0
    }
}

fn media(data: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> wit::Media {
    wit::Media { data: data.into(), mime_type: mime_type.into() }
}

fn resource(
    uri: impl Into<String>,
    mime_type: impl Into<String>,
    body: wit::ResourceBody,
) -> Content {
    let (uri, mime_type) = (Some(uri.into()), Some(mime_type.into()));
    wit::Block::Resource(wit::ResourceContents { uri, mime_type, body, meta: None }).into()
}
