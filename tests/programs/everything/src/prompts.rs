//! Prompts, one of which asks first.

use mcpfn_sdk::{
    Ask, Completing, Content, PromptMessage, Stop, Suggestions, ToolArguments, mcp_prompt,
};
use test_programs::PNG;

/// A prompt without arguments.
#[mcp_prompt]
pub(crate) fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

fn words(typed: &Completing) -> Suggestions {
    typed.among(["hello", "paris", "park", "party", "world"])
}

/// A prompt with two arguments, which are completed while somebody types them.
#[mcp_prompt(title = "Prompt with arguments")]
pub(crate) fn test_prompt_with_arguments(
    /// First test argument.
    #[arg(title = "First")]
    #[completion(words)]
    arg1: String,
    /// Second test argument.
    #[arg(title = "Second")]
    #[completion(words)]
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// A prompt with a resource in it.
#[mcp_prompt]
pub(crate) fn test_prompt_with_embedded_resource(
    /// URI of the resource to embed.
    #[arg(name = "resourceUri")]
    resource_uri: String,
) -> Vec<PromptMessage> {
    let text = "Embedded resource content for testing.";
    vec![
        PromptMessage::user(Content::resource(resource_uri, "text/plain", text)),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// A prompt with an image in it.
#[mcp_prompt]
pub(crate) fn test_prompt_with_image() -> Vec<PromptMessage> {
    vec![
        PromptMessage::user(Content::image(PNG, "image/png")),
        PromptMessage::user("Please analyze the image above."),
    ]
}

/// A form with a context.
#[derive(ToolArguments)]
struct Context {
    context: String,
}

/// A prompt that asks for its context.
#[mcp_prompt]
pub(crate) fn test_input_required_result_prompt(ask: Ask) -> Result<String, Stop> {
    let Context { context } = ask.form("user_context", "What context should the prompt use?")?;
    Ok(format!("Consider this context: {context}"))
}
