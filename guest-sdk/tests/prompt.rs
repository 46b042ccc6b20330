//! Prompts: what the host reads of them, and what they give it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use mcpfn_sdk::{
    Argument, Completing, Content, PromptMessage, Suggestions, ToolContext, blob_input, mcp_prompt,
    runtime::{self, Function},
    testing::{self, Call},
    wit::{self, Block, Outcome, PromptTrigger, Role, Trigger},
};

fn trigger<F: Function>() -> PromptTrigger {
    match testing::describe::<F>().trigger {
        Trigger::Prompt(prompt) => prompt,
        other => panic!("{other:?} is no prompt"),
    }
}

fn messages<F: Function>(call: Call) -> Vec<(Role, String)> {
    let Outcome::Messages(messages) = call.run::<F>().unwrap().outcome else {
        panic!("they are messages")
    };
    let text = |message: wit::PromptMessage| match message.content.block {
        Block::Text(text) => (message.role, text),
        other => panic!("no text: {other:?}"),
    };
    messages.into_iter().map(text).collect()
}

#[derive(Argument)]
enum Tone {
    Formal,
    #[arg(name = "casual")]
    Casual,
}

fn languages(typed: &Completing) -> Suggestions {
    typed.among(["English", "Esperanto", "Swedish"]).of_total(7000)
}

/// Translates a text.
#[mcp_prompt(
    name = "translate-text",
    title = "Translate",
    icons = r#"[{ "src": "a.png" }]"#,
    meta = r#"{ "k": 1 }"#
)]
fn translate(
    /// What to translate.
    #[arg(title = "Text")]
    text: String,
    #[arg(name = "Language", description = "Into which")]
    #[completion(languages)]
    language: Option<String>,
    #[arg(default = 3)] tries: u8,
    #[arg(default = "Formal")] tone: Tone,
    aloud: Option<bool>,
    context: ToolContext,
) -> String {
    let formal = matches!(tone, Tone::Formal);
    format!("{text} {language:?} {tries} {formal} {aloud:?} {}", context.invocation_id())
}

#[test]
fn what_is_said_is_declared() {
    assert_eq!(testing::describe::<translate>().name, "translate-text");
    let prompt = trigger::<translate>();
    assert_eq!(prompt.name, "translate-text");
    assert_eq!(prompt.title.as_deref(), Some("Translate"));
    assert_eq!(prompt.description.as_deref(), Some("Translates a text."));
    assert_eq!(prompt.icons.as_deref(), Some(r#"[{ "src": "a.png" }]"#));
    assert_eq!(prompt.meta.as_deref(), Some(r#"{ "k": 1 }"#));
    let arguments: Vec<_> = prompt
        .arguments
        .iter()
        .map(|a| (a.name.as_str(), a.title.as_deref(), a.description.as_deref(), a.required))
        .collect();
    assert_eq!(
        arguments,
        [
            ("text", Some("Text"), Some("What to translate."), true),
            ("Language", None, Some("Into which"), false),
            ("tries", None, None, false),
            ("tone", None, None, false),
            ("aloud", None, None, false),
        ]
    );
    let completed: Vec<_> = prompt.arguments.iter().filter(|a| a.completes).collect();
    assert_eq!((completed.len(), completed[0].name.as_str()), (1, "Language"));
}

#[test]
fn arguments_are_read_from_texts() {
    let call = Call::new(r#"{ "text": "1", "Language": "Sw", "tries": "5", "aloud": "true" }"#);
    let text = r#"1 Some("Sw") 5 true Some(true) test"#.to_owned();
    assert_eq!(messages::<translate>(call), [(Role::User, text)]);
    let call = Call::new(r#"{ "text": "a", "tone": "casual" }"#);
    assert_eq!(messages::<translate>(call)[0].1, "a None 3 false None test");
    let wrong = Call::new(r#"{ "text": "a", "aloud": "yes" }"#).run::<translate>().unwrap_err();
    assert_eq!(wrong.message, "/aloud: expected `true` or `false`, got `yes`");
}

#[test]
fn arguments_are_completed() {
    let suggestions = Call::new("{}").complete::<translate>("Language", "e").unwrap();
    assert_eq!(suggestions.values(), ["English", "Esperanto"]);
    let invocation = wit::Invocation {
        id: String::from("1"),
        function: String::from("translate-text"),
        entry: wit::Entry::Complete(wit::Completing {
            argument: String::from("Language"),
            value: String::from("sw"),
        }),
        arguments: String::from("{}"),
        inputs: Vec::new(),
        resume: None,
        options: Vec::new(),
    };
    let completion = runtime::invoke(&[translate::ENTRY], invocation).unwrap();
    let Outcome::Suggestions(suggestions) = completion.outcome else { panic!("it suggests") };
    assert_eq!(suggestions.values, ["Swedish"]);
    assert_eq!((suggestions.total, suggestions.more), (Some(7000), true));
}

#[test]
fn no_more_than_a_hundred_values_are_suggested() {
    let typed = |values: Vec<String>| Suggestions::from(values);
    let suggestions = typed((0..150).map(|n| n.to_string()).collect());
    assert_eq!(suggestions.values().len(), 100);
}

#[mcp_prompt]
fn several(
    #[blob_input(path = "notes/{mcppromptargs.name}.txt")] note: String,
    name: String,
) -> Vec<PromptMessage> {
    vec![PromptMessage::user(note), PromptMessage::assistant("yes")]
}

#[mcp_prompt]
fn block() -> Content {
    Content::text("a")
}

#[mcp_prompt]
fn fallible() -> Result<PromptMessage, String> {
    Err(String::from("not today"))
}

#[test]
fn results_become_messages() {
    let call =
        Call::new(r#"{ "name": "a" }"#).input("note", wit::Value::Text(String::from("note")));
    assert_eq!(
        messages::<several>(call),
        [(Role::User, "note".to_owned()), (Role::Assistant, "yes".to_owned())]
    );
    assert_eq!(messages::<block>(Call::new("{}")), [(Role::User, "a".to_owned())]);
    assert_eq!(Call::new("{}").run::<fallible>().unwrap_err().message, "not today");
}

mcpfn_sdk::functions![translate, several, block, fallible];
