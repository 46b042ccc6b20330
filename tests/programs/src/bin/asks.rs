//! Questions of every kind, in every place, and some that no function should ask.

use mcpfn_sdk::{
    Answer, Ask, Out, Question, Stop, ToolArguments, blob_output, mcp_prompt, mcp_resource,
    mcp_tool, progress, serde_json::json,
};

/// A form with a name.
#[derive(ToolArguments)]
struct Name {
    name: String,
}

/// Asks one question, and tells what became of it.
#[mcp_tool(task = "optional")]
fn asks_for(
    ask: Ask,
    /// One of `form`, `url`, `sampling`, `tools` and `roots`.
    kind: String,
    /// A text that is not used.
    text: Option<String>,
) -> Result<String, Stop> {
    _ = text;
    let question = match &*kind {
        "form" => Question::form("Who?", NAME),
        "url" => Question::url("Look.", "https://example.com/look"),
        "sampling" => Question::sampling(&json!({ "messages": [], "maxTokens": 1 })),
        "tools" => Question::sampling(&json!({ "messages": [], "maxTokens": 1, "tools": [] })),
        _ => Question::roots(),
    };
    Ok(told(&ask.question("it", question)?))
}

/// Asks four questions at once.
#[mcp_tool(task = "optional")]
fn asks_all(ask: Ask) -> Result<String, Stop> {
    let form = ask.question("form", Question::form("Who?", NAME));
    let url = ask.question("url", Question::url("Look.", "https://example.com/look"));
    let params = json!({ "messages": [], "maxTokens": 1 });
    let sampling = ask.question("sampling", Question::sampling(&params));
    let roots = ask.question("roots", Question::roots());
    let answers = [form?, url?, sampling?, roots?];
    Ok(answers.iter().map(told).collect::<Vec<_>>().join("\n"))
}

/// Asks for one name after another, under one key.
#[mcp_tool(task = "optional")]
fn asks_by_one_key(
    ask: Ask,
    /// How many names.
    count: u32,
) -> Result<String, Stop> {
    let mut names = ask.kept::<Vec<String>>().unwrap_or_default();
    if let Some(answer) = ask.answer("name") {
        names.push(told(&answer));
        ask.forget("name");
    }
    ask.keep(&names)?;
    if names.len() < count as usize {
        ask.question("name", Question::form(format!("Name {}?", names.len() + 1), NAME))?;
    }
    Ok(names.join("\n"))
}

/// Sets an output, asks, and returns what is written, too.
#[mcp_tool(task = "optional")]
#[blob_output(name = "copy", path = "asked/{mcptoolargs.file}.copy")]
#[blob_output(name = "$return", path = "asked/{mcptoolargs.file}.return")]
fn asks_then_writes(
    ask: Ask,
    /// Names both blobs.
    file: String,
    copy: Out<String>,
) -> Result<String, Stop> {
    copy.set(file);
    let Name { name } = ask.form("name", "Who?")?;
    Ok(format!("by {name}"))
}

/// Asks, then fails as it says.
#[mcp_tool(task = "optional")]
fn asks_then_fails(
    ask: Ask,
    /// Whether to break down.
    panic: bool,
) -> Result<String, Stop> {
    ask.roots("roots")?;
    assert!(!panic, "broken down");
    Err("it does not work".into())
}

/// Wants back more than may be.
#[mcp_tool]
fn asks_too_much(ask: Ask) -> Result<&'static str, Stop> {
    ask.keep(&"x".repeat(64 << 10))?;
    ask.roots("roots")?;
    Ok("never")
}

/// Asks with a form that nobody can fill in.
#[mcp_tool]
fn asks_badly(
    ask: Ask,
    /// `broken` or `reference`.
    schema: String,
) -> Result<String, Stop> {
    let schema = match &*schema {
        "broken" => r#"{ "type": "no such type" }"#,
        _ => r##"{ "type": "object", "additionalProperties": { "$ref": "#" } }"##,
    };
    Ok(told(&ask.question("it", Question::form("Who?", schema))?))
}

/// Says that it computes, and computes for ever.
#[mcp_tool(task = "required")]
fn tells_and_spins() {
    progress::report(1, Some(2.0), Some("spinning"));
    let mut n_rounds = 0_u64;
    loop {
        n_rounds = std::hint::black_box(n_rounds.wrapping_add(1));
    }
}

/// Asks for whom it is.
#[mcp_resource(uri = "asked://{place}", name = "Asked", mime_type = "text/plain")]
fn asked(ask: Ask, place: String) -> Result<String, Stop> {
    let Name { name } = ask.form("name", "Who?")?;
    Ok(format!("{name} in {place}"))
}

/// Asks for whom it is.
#[mcp_prompt]
fn ask_about(
    ask: Ask,
    /// Where.
    place: String,
) -> Result<String, Stop> {
    let Name { name } = ask.form("name", "Who?")?;
    Ok(format!("{name} in {place}"))
}

const NAME: &str =
    r#"{ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }"#;

fn told(answer: &Answer) -> String {
    match answer {
        Answer::Accepted(content) => format!("accept {content}"),
        Answer::Declined | Answer::Cancelled => answer.action().to_owned(),
    }
}

mcpfn_sdk::functions![
    asks_for,
    asks_all,
    asks_by_one_key,
    asks_then_writes,
    asks_then_fails,
    asks_too_much,
    asks_badly,
    tells_and_spins,
    asked,
    ask_about,
];

fn main() {}
