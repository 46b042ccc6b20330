//! A tool with one struct of arguments and a structured result.

use mcpfn_sdk::{Argument, ToolArguments, ToolOutput, mcp_tool};

/// Whom to greet, and how.
#[derive(ToolArguments)]
struct Request {
    /// Who is greeted.
    name: String,
    /// The language of the greeting.
    language: Option<Language>,
}

#[derive(Argument, Clone, Copy, Default)]
#[arg(rename_all = "lowercase")]
enum Language {
    #[default]
    English,
    German,
    French,
}

#[derive(ToolOutput)]
struct Greeting {
    /// The greeting itself.
    text: String,
    /// How many characters it has.
    length: usize,
}

/// Greets someone in their language.
#[mcp_tool(title = "Greeting", read_only = true, idempotent = true, open_world = false)]
fn greet(request: Request) -> Greeting {
    let hello = match request.language.unwrap_or_default() {
        Language::English => "Hello",
        Language::German => "Guten Tag",
        Language::French => "Bonjour",
    };
    let text = format!("{hello}, {}!", request.name);
    Greeting { length: text.chars().count(), text }
}

mcpfn_sdk::functions![greet];

#[cfg(test)]
mod tests {
    use mcpfn_sdk::{testing::Call, wit::Outcome};

    use super::greet;

    #[test]
    fn greets_in_the_language_asked_for() {
        let call = Call::new(r#"{ "name": "Ada", "language": "german" }"#);
        let Outcome::Value(json) = call.run::<greet>().unwrap().outcome else {
            panic!("it is structured")
        };
        assert_eq!(json, r#"{"text":"Guten Tag, Ada!","length":15}"#);
    }
}
