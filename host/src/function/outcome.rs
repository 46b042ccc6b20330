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
    /// The contents of a resource.
    Contents(Vec<ResourceContents>),
    /// The messages of a prompt.
    Messages(Vec<PromptMessage>),
    /// Questions first: the function is invoked again with the answers.
    InputRequired(InputRequest),
    /// Values for the argument that is being typed.
    Suggestions(Suggestions),
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

/// Who says a message of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// One message of a prompt.
#[derive(Debug)]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: Content,
}

/// What a function needs to know before it can go on.
#[derive(Clone, Debug)]
pub struct InputRequest {
    /// At least one, with keys that differ.
    pub questions: Vec<Question>,
    /// What the function wants to be given back, up to [`MAX_STATE`](Self::MAX_STATE) bytes.
    pub state: Vec<u8>,
}

impl InputRequest {
    /// The longest state, in bytes: it travels to the client and back.
    pub const MAX_STATE: usize = 64 << 10;
}

/// A question to the client.
#[derive(Clone, Debug)]
pub struct Question {
    /// A key of the function's choosing.
    pub key: String,
    /// What is asked for.
    pub ask: Ask,
}

/// What a client is asked for.
#[derive(Clone, Debug)]
pub enum Ask {
    /// A form that the person fills in.
    Form {
        /// What the person reads.
        message: String,
        /// A flat JSON Schema of the answer, an object.
        schema: Json,
    },
    /// A page that the person opens.
    Url {
        /// What the person reads.
        message: String,
        /// The page.
        url: String,
    },
    /// Text of the client's model: the params of `sampling/createMessage`, an object.
    Sampling(Json),
    /// The folders that the client works in.
    Roots,
}

/// Values for an argument that is being typed.
#[derive(Clone, Debug, Default)]
pub struct Suggestions {
    /// The values, best first.
    pub values: Vec<String>,
    /// How many there are in all, when that is known.
    pub total: Option<u32>,
    /// There are more than these.
    pub more: bool,
}

/// All that a guest hands back when it did not fail.
#[derive(Debug)]
pub struct Completion {
    /// What the function returned.
    pub outcome: Outcome,
    /// The outputs that it set.
    pub outputs: Vec<Output>,
}
