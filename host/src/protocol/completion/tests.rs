//! Whose argument a request is about, and what an answer holds.

use serde_json::{Value, json};

use super::{Complete, completion};
use crate::{
    function::{Entry, Failure, Outcome, Suggestions},
    protocol::{error::ProtocolError, sample},
};

/// The function that is asked, and what is known already.
fn find(params: &Value) -> Result<Option<(String, String)>, ProtocolError> {
    let (catalog, params) = (sample::catalog(), params.to_string());
    let complete = Complete::parse(&params)?;
    let found = complete.function(&catalog)?;
    Ok(found.map(|(function, known)| (function.name.clone(), known.get().to_owned())))
}

fn params(reference: &Value, argument: &str) -> Value {
    json!({ "ref": reference, "argument": { "name": argument, "value": "v" } })
}

#[track_caller]
fn check_refused(params: &Value, message: &str) {
    let error = find(params).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (-32602, message));
}

#[test]
fn a_reference_is_the_name_of_a_prompt_or_a_template_as_it_is_listed() {
    let prompt = json!({ "type": "ref/prompt", "name": "REVIEW" });
    let mut known = params(&prompt, "language");
    known["context"] = json!({ "arguments": { "code": "a" } });
    assert_eq!(find(&known).unwrap(), Some(("review".to_owned(), r#"{"code":"a"}"#.to_owned())));
    let template = "app://notes/{folder}/{+path}";
    let resource = json!({ "type": "ref/resource", "uri": template });
    assert_eq!(
        find(&params(&resource, "folder")).unwrap(),
        Some((template.to_owned(), "{}".to_owned()))
    );
}

#[test]
fn an_argument_for_which_nothing_is_suggested_runs_nothing() {
    let prompt = json!({ "type": "ref/prompt", "name": "review" });
    assert_eq!(find(&params(&prompt, "code")).unwrap(), None);
    let resource = json!({ "type": "ref/resource", "uri": "app://notes/{folder}/{+path}" });
    assert_eq!(find(&params(&resource, "path")).unwrap(), None);
}

#[test]
fn what_is_not_there_is_refused() {
    let prompt = json!({ "type": "ref/prompt", "name": "none" });
    check_refused(&params(&prompt, "x"), "Unknown prompt: 'none'");
    let resource = json!({ "type": "ref/resource", "uri": "app://notes/a/b" });
    check_refused(&params(&resource, "x"), "Unknown resource template: 'app://notes/a/b'");
    let prompt = json!({ "type": "ref/prompt", "name": "review" });
    check_refused(&params(&prompt, "x"), "Unknown argument: 'x' of 'review'");
    let tool = json!({ "type": "ref/tool", "name": "save" });
    check_refused(
        &params(&tool, "x"),
        "Invalid params: `ref.type` must be `ref/prompt` or `ref/resource`",
    );
    check_refused(&json!({}), "Invalid params: `ref` must be an object");
    check_refused(&json!({ "ref": prompt }), "Invalid params: `argument` must be an object");
    let argument = json!({ "name": "code", "value": 7 });
    check_refused(
        &json!({ "ref": prompt, "argument": argument }),
        "Invalid params: `argument.value` must be a string",
    );
    let mut wrong = params(&prompt, "code");
    wrong["context"] = json!({ "arguments": [] });
    check_refused(&wrong, "Invalid params: `context.arguments` must be an object");
}

#[test]
fn a_function_is_told_what_was_typed() {
    let params = params(&json!({ "type": "ref/prompt", "name": "review" }), "language").to_string();
    let entry = Entry::Complete { argument: "language".to_owned(), value: "v".to_owned() };
    assert_eq!(Complete::parse(&params).unwrap().entry(), entry);
}

#[test]
fn an_answer_has_a_hundred_values_at_most() {
    let shown = |outcome: &Outcome| serde_json::to_value(completion(outcome).unwrap()).unwrap();
    let suggest = |n_values: u32, total, more| {
        let values = (0..n_values).map(|number| number.to_string()).collect();
        Outcome::Suggestions(Suggestions { values, total, more })
    };
    let few = shown(&suggest(2, None, false));
    assert_eq!(few, json!({ "completion": { "values": ["0", "1"], "hasMore": false } }));
    let told = shown(&suggest(1, Some(7), true));
    assert_eq!(told, json!({ "completion": { "values": ["0"], "total": 7, "hasMore": true } }));
    let cut = &shown(&suggest(120, None, false))["completion"];
    assert_eq!(cut["values"].as_array().unwrap().len(), 100);
    assert_eq!((&cut["total"], &cut["hasMore"]), (&json!(120), &json!(true)));
    let none = shown(&Outcome::Nothing);
    assert_eq!(none, json!({ "completion": { "values": [], "hasMore": false } }));
    let failure = Outcome::Failure(Failure { message: "no".to_owned(), details: None });
    assert_eq!(completion(&failure).err().map(|error| error.code()), Some(-32603));
}
