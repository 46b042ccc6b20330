//! Questions to the client's model.

use mcpfn_sdk::{Ask, Stop, mcp_tool};

/// Asks the model.
#[mcp_tool]
pub(crate) fn test_sampling(
    ask: Ask,
    /// What to ask it.
    #[arg(default = "Say hello.")]
    prompt: String,
) -> Result<String, Stop> {
    let response = ask.sample("response", &prompt, 100)?;
    Ok(format!("LLM response: {response}"))
}

/// Asks the model, whether the client has one or not.
#[mcp_tool]
pub(crate) fn test_missing_capability(ask: Ask) -> Result<String, Stop> {
    ask.sample("response", "Say hello.", 100)
}

/// Asks the model for the capital of France.
#[mcp_tool]
pub(crate) fn test_input_required_result_sampling(ask: Ask) -> Result<String, Stop> {
    ask.sample("capital_question", "What is the capital of France?", 100)
}
