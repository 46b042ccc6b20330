//! Prompts on both wires: the list, the params of a get, and every outcome.

use serde_json::json;

use super::{Get, Prompts, result};
use crate::{
    function::{Block, Content, Failure, Media, Outcome, PromptMessage, Role},
    protocol::{error::ProtocolError, modern::envelope::ServerMeta, revision::Era, sample},
};

fn result(era: Era, outcome: &Outcome) -> Result<String, ProtocolError> {
    let catalog = sample::catalog();
    let messages = result::messages(catalog.prompt("review").unwrap(), outcome)?;
    let server = ServerMeta::new("s", "1");
    Ok(serde_json::to_string(&result::of_messages(era, messages, &server)).unwrap())
}

#[test]
fn a_prompt_is_listed_with_its_arguments_in_order() {
    let prompts = Prompts::new(&sample::catalog(), &ServerMeta::new("s", "1"));
    assert_eq!(
        prompts.list(Era::Legacy, "{}").unwrap().get(),
        r#"{"prompts":[{"name":"review","description":"Reviews code.","arguments":[{"name":"code","description":"d","required":true},{"name":"language","description":"d","required":false}]}]}"#
    );
}

#[test]
fn a_get_names_a_prompt_in_any_case_and_gives_arguments_or_none() {
    let catalog = sample::catalog();
    let get = |params: &serde_json::Value| {
        let params = params.to_string();
        let get = Get::parse(&params)?;
        get.function(&catalog)
            .map(|(function, arguments)| (function.name.clone(), arguments.get().to_owned()))
    };
    let found = |arguments: &str| ("review".to_owned(), arguments.to_owned());
    assert_eq!(get(&json!({ "name": "Review" })).unwrap(), found("{}"));
    assert_eq!(get(&json!({ "name": "review", "arguments": null })).unwrap(), found("{}"));
    let arguments = json!({ "name": "review", "arguments": { "code": "a" } });
    assert_eq!(get(&arguments).unwrap(), found(r#"{"code":"a"}"#));
    for (params, message) in [
        (json!({ "name": "other" }), "Unknown prompt: 'other'"),
        (json!({}), "Invalid params: `name` must be a string"),
        (
            json!({ "name": "review", "arguments": [] }),
            "Invalid params: `arguments` must be an object",
        ),
    ] {
        let error = get(&params).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (-32602, message));
    }
}

#[test]
fn a_text_is_what_the_person_says() {
    let text = Outcome::Text("a".to_owned());
    assert_eq!(
        result(Era::Legacy, &text).unwrap(),
        r#"{"description":"Reviews code.","messages":[{"role":"user","content":{"type":"text","text":"a"}}]}"#
    );
    assert_eq!(
        result(Era::Modern, &text).unwrap(),
        r#"{"resultType":"complete","description":"Reviews code.","messages":[{"role":"user","content":{"type":"text","text":"a"}}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
    );
}

#[test]
fn messages_keep_their_order_their_roles_and_their_blocks() {
    let message = |role, block| PromptMessage {
        role,
        content: Content { block, annotations: None, meta: Some(sample::json(r#"{"b":2}"#)) },
    };
    let image = Media { data: b"abc".to_vec(), mime_type: "image/png".to_owned() };
    let messages = vec![
        message(Role::Assistant, Block::Text("a".to_owned())),
        message(Role::User, Block::Image(image)),
    ];
    assert_eq!(
        result(Era::Legacy, &Outcome::Messages(messages)).unwrap(),
        concat!(
            r#"{"description":"Reviews code.","messages":[{"role":"assistant","content":{"type":"text","text":"a","_meta":{"b":2}}},"#,
            r#"{"role":"user","content":{"type":"image","data":"YWJj","mimeType":"image/png","_meta":{"b":2}}}]}"#,
        )
    );
}

#[test]
fn a_failure_is_an_error_in_the_words_of_the_function() {
    let failure = Outcome::Failure(Failure { message: "no luck".to_owned(), details: None });
    let error = result(Era::Modern, &failure).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (-32603, "no luck"));
}
