//! The full answer of a tool.

use serde::Serialize;
use serde_json::Value;

use crate::{Content, wit};

/// The full answer of a tool: content blocks, structured content, whether it is an error, `_meta`.
///
/// ```
/// use mcpfn_sdk::{Reply, mcp_tool};
///
/// /// Looks for a word.
/// #[mcp_tool]
/// fn find(word: String) -> Reply {
///     if word.is_empty() {
///         return Reply::text("no word given").error();
///     }
///     Reply::text(format!("found {word}")).structured([word])
/// }
/// # fn main() { find(String::new()); }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Reply {
    content: Vec<Content>,
    /// An `Err` is why it could not be serialized; it is reported when the tool returns.
    structured: Option<Result<String, String>>,
    is_error: bool,
    meta: Option<String>,
}

impl Reply {
    /// An answer without content.
    pub fn new() -> Self {
        Self { content: Vec::new(), structured: None, is_error: false, meta: None }
    }

    /// An answer of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new().with(Content::text(text))
    }

    /// Appends a content block.
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Sets the structured content.
    pub fn structured(mut self, value: impl Serialize) -> Self {
        self.structured = Some(serde_json::to_string(&value).map_err(|e| e.to_string()));
        self
    }

    /// Marks the answer as a failure that the model should see. No output binding is written then.
    pub fn error(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// Sets `_meta`.
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.meta = Some(meta.to_string());
        self
    }

    pub(crate) fn into_wit(self) -> Result<wit::Reply, wit::Failure> {
        let structured = self.structured.transpose().map_err(|reason| wit::Failure {
            message: format!("the structured content is no JSON: {reason}"),
            details: None,
        })?;
        let content = self.content.into_iter().map(Into::into).collect();
        Ok(wit::Reply { content, structured, is_error: self.is_error, meta: self.meta })
    }
}

impl Default for Reply {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Vec<Content>> for Reply {
    fn from(content: Vec<Content>) -> Self {
        Self { content, ..Self::new() }
    }
}
