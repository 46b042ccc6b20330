//! Questions to the person.

use mcpfn_sdk::{Answer, Ask, Question, Stop, mcp_tool, progress};

use super::Name;

/// Asks for a name and an address, whatever comes back.
#[mcp_tool]
pub(crate) fn test_elicitation(
    ask: Ask,
    /// What to ask the person.
    #[arg(default = "Who are you?")]
    message: String,
) -> Result<String, Stop> {
    let form = r#"{
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" }
        },
        "required": ["username", "email"]
    }"#;
    let answer = ask.question("user", Question::form(message, form))?;
    Ok(format!("User response: {}", said(&answer)))
}

/// Asks for a form with a default in every kind of field.
#[mcp_tool]
pub(crate) fn test_elicitation_sep1034_defaults(ask: Ask) -> Result<String, Stop> {
    let form = include_str!("defaults.json");
    let answer = ask.question("defaults", Question::form("Please check these values.", form))?;
    Ok(format!("Elicitation completed: {}", said(&answer)))
}

/// Asks for a form with a choice of every kind.
#[mcp_tool]
pub(crate) fn test_elicitation_sep1330_enums(ask: Ask) -> Result<String, Stop> {
    let form = include_str!("choices.json");
    let answer = ask.question("choices", Question::form("Please choose.", form))?;
    Ok(format!("Elicitation completed: {}", said(&answer)))
}

/// Reports progress, then asks for a name.
#[mcp_tool]
pub(crate) fn test_streaming_elicitation(ask: Ask) -> Result<String, Stop> {
    progress::report(1, Some(2.0), Some("about to ask"));
    greeted(&ask)
}

/// Asks for a name.
#[mcp_tool]
pub(crate) fn test_input_required_result_elicitation(ask: Ask) -> Result<String, Stop> {
    greeted(&ask)
}

/// Asks the person to open a page.
#[mcp_tool]
pub(crate) fn test_elicitation_url(ask: Ask) -> Result<&'static str, Stop> {
    ask.url("sign_in", "Please sign in.", "https://example.com/sign-in")?;
    Ok("signed in")
}

fn greeted(ask: &Ask) -> Result<String, Stop> {
    let Name { name } = ask.form("user_name", "What is your name?")?;
    Ok(format!("Hello, {name}!"))
}

fn said(answer: &Answer) -> String {
    match answer {
        Answer::Accepted(content) => format!("action=accept, content={content}"),
        Answer::Declined | Answer::Cancelled => format!("action={}", answer.action()),
    }
}
