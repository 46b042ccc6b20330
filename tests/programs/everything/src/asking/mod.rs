//! Questions to the client. Each function is written once: clients that answer in the middle of a call and clients that
//! call again with the answers get the same.

pub(crate) mod elicitation;
pub(crate) mod rounds;
pub(crate) mod sampling;

use mcpfn_sdk::{Ask, Stop, ToolArguments, ToolContext, mcp_tool};

/// A form with a name.
#[derive(ToolArguments)]
pub(crate) struct Name {
    pub(crate) name: String,
}

/// Asks for the folders of the client.
#[mcp_tool]
pub(crate) fn test_input_required_result_list_roots(ask: Ask) -> Result<String, Stop> {
    let roots = ask.roots("client_roots")?;
    let uris: Vec<_> = roots.into_iter().map(|root| root.uri).collect();
    Ok(format!("The client has {} roots: {}", uris.len(), uris.join(", ")))
}

/// Asks three questions at once.
#[mcp_tool]
pub(crate) fn test_input_required_result_multiple_inputs(ask: Ask) -> Result<String, Stop> {
    // Each `?` comes after the last question, so that all three go together.
    let name = ask.form::<Name>("user_name", "What is your name?");
    let greeting = ask.sample("greeting", "Generate a greeting", 50);
    let roots = ask.roots("client_roots");
    ask.keep(&"multiple-inputs")?;
    let (Name { name }, greeting, roots) = (name?, greeting?, roots?);
    Ok(format!("{greeting} {name} has {} roots.", roots.len()))
}

/// Asks what the client said that it can answer.
#[mcp_tool]
pub(crate) fn test_input_required_result_capabilities(
    ask: Ask,
    context: ToolContext,
) -> Result<String, Stop> {
    let can = context.capabilities();
    let name = can.elicitation_form().then(|| ask.form::<Name>("user_name", "What is your name?"));
    let capital =
        can.sampling().then(|| ask.sample("capital", "What is the capital of France?", 100));
    let roots = can.roots().then(|| ask.roots("client_roots"));
    let name = name.transpose()?.map(|Name { name }| name);
    let (capital, roots) = (capital.transpose()?, roots.transpose()?.map(|roots| roots.len()));
    Ok(format!("name: {name:?}, capital: {capital:?}, roots: {roots:?}"))
}
