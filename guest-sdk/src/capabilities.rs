//! What a client can do.

use serde_json::Value;

/// What the client can do, as it declared. A function asks only for that.
///
/// ```
/// use mcpfn_sdk::{Ask, Stop, ToolContext, serde_json::json};
///
/// fn title(ask: Ask, context: ToolContext) -> Result<String, Stop> {
///     if !context.capabilities().sampling() {
///         return Ok("untitled".to_owned());
///     }
///     ask.sample("title", "Invent a title.", 50)
/// }
///
/// let context = ToolContext::for_test("title", "{}");
/// assert_eq!(title(Ask::new(), context.clone()).ok().as_deref(), Some("untitled"));
/// let context = context.with_capabilities(&json!({ "sampling": {} }));
/// assert!(title(Ask::new(), context).is_err_and(|stop| stop.is_question()));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capabilities(Value);

impl Capabilities {
    /// What is no JSON object declares nothing.
    pub(crate) fn parse(json: &str) -> Self {
        Self(serde_json::from_str(json).unwrap_or_default())
    }

    /// The client shows forms: [`Question::form`](crate::Question::form).
    pub fn elicitation_form(&self) -> bool {
        // Clients from before there were pages declare an empty object.
        let modes = &self.0["elicitation"];
        modes.is_object() && (modes["form"].is_object() || !modes["url"].is_object())
    }

    /// The client opens pages: [`Question::url`](crate::Question::url).
    pub fn elicitation_url(&self) -> bool {
        self.0["elicitation"]["url"].is_object()
    }

    /// The client has a model: [`Question::sampling`](crate::Question::sampling).
    pub fn sampling(&self) -> bool {
        self.0["sampling"].is_object()
    }

    /// The client's model takes `tools` and `toolChoice`.
    pub fn sampling_tools(&self) -> bool {
        self.0["sampling"]["tools"].is_object()
    }

    /// The client says which folders it works in: [`Question::roots`](crate::Question::roots).
    pub fn roots(&self) -> bool {
        self.0["roots"].is_object()
    }

    /// `ClientCapabilities` of the protocol, for the rest.
    pub fn as_json(&self) -> &Value {
        &self.0
    }
}
