//! Answers with what it got: an argument, and the context.

use mcpfn_sdk::{
    ToolContext, Transport, mcp_tool,
    serde_json::{self, Value, json},
};

/// Answers with its argument.
#[mcp_tool]
fn echo(
    /// What to answer.
    text: String,
) -> String {
    text
}

/// Answers with all that it knows about the call.
#[mcp_tool(headers = ["x-test", "User-Agent"])]
fn show_context(
    context: ToolContext,
    /// Anything.
    note: Option<String>,
) -> Result<Value, serde_json::Error> {
    let transport = match context.transport() {
        Transport::Http => "http",
        Transport::Stdio => "stdio",
        Transport::Console => "console",
        Transport::CommandLine => "command-line",
    };
    let remaining_ms = u64::try_from(context.remaining().as_millis()).unwrap_or(u64::MAX);
    Ok(json!({
        "name": context.name(),
        "arguments": context.arguments_as::<Value>()?,
        "note": note,
        "session": context.session(),
        "client": context.client().map(|client| json!({ "name": client.name, "version": client.version })),
        "capabilities": context.capabilities().as_json(),
        "transport": transport,
        "principal": context.principal(),
        "header": context.header("x-test"),
        "unlistedHeader": context.header("x-unlisted"),
        "authorization": context.header("authorization"),
        "meta": context.meta(),
        "remainingMs": remaining_ms,
        "invocationId": context.invocation_id(),
    }))
}

mcpfn_sdk::functions![echo, show_context];

fn main() {}
