//! What an invocation came to.

use super::{Json, Output};

/// What an invocation came to.
#[derive(Debug)]
pub enum Outcome {
    /// The function returned nothing.
    Nothing,
    /// One text.
    Text(String),
    /// Bytes of no particular encoding.
    Bytes(Vec<u8>),
    /// Structured content.
    Value(Json),
    /// The full answer of a tool.
    Reply(Reply),
    /// A failure that the function chose; its message reaches the client.
    Failure(Failure),
}

/// The full answer of a tool.
#[derive(Debug, Default)]
pub struct Reply {
    /// The content blocks, in order.
    pub content: Vec<Content>,
    /// Structured content.
    pub structured: Option<Json>,
    /// The tool itself says that it failed.
    pub is_error: bool,
    /// `_meta` of the result.
    pub meta: Option<Json>,
}

/// A failure that the function chose.
#[derive(Debug)]
pub struct Failure {
    /// For the client.
    pub message: String,
    /// More about it, as JSON.
    pub details: Option<Json>,
}

/// One content block and what goes with it.
#[derive(Debug)]
pub struct Content {
    /// The block.
    pub block: Block,
    /// Its `annotations`.
    pub annotations: Option<Json>,
    /// Its `_meta`.
    pub meta: Option<Json>,
}

/// A content block of the protocol.
#[derive(Debug)]
pub enum Block {
    /// Text.
    Text(String),
    /// An image.
    Image(Media),
    /// A sound.
    Audio(Media),
    /// An embedded resource.
    Resource(ResourceContents),
    /// `ResourceLink` of the protocol, as JSON.
    Link(Json),
    /// Any other content block, unchanged.
    Other(Json),
}

/// Bytes and what they are.
#[derive(Debug)]
pub struct Media {
    /// The bytes.
    pub data: Vec<u8>,
    /// Their media type.
    pub mime_type: String,
}

/// The contents of a resource.
#[derive(Debug)]
pub struct ResourceContents {
    /// The URI asked for, when absent.
    pub uri: Option<String>,
    /// The media type.
    pub mime_type: Option<String>,
    /// The contents.
    pub body: ResourceBody,
    /// `_meta` of the contents.
    pub meta: Option<Json>,
}

/// Text or bytes of a resource.
#[derive(Debug)]
pub enum ResourceBody {
    /// UTF-8 text.
    Text(String),
    /// Bytes of no particular encoding.
    Bytes(Vec<u8>),
}

/// All that a guest hands back when it did not fail.
#[derive(Debug)]
pub struct Completion {
    /// What the function returned.
    pub outcome: Outcome,
    /// The outputs that it set.
    pub outputs: Vec<Output>,
}
