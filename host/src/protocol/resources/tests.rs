//! Resources on both wires: lists, what a URI leads to, and every outcome.

use serde_json::{Value, json};

use super::{Read, Resources, result};
use crate::{
    function::{Catalog, Failure, InputRequest, Outcome, ResourceBody, ResourceContents, Trigger},
    protocol::{error::ProtocolError, modern::envelope::ServerMeta, revision::Era, sample},
};

const LOGO: &str = "app://logo";

fn server() -> ServerMeta {
    ServerMeta::new("s", "1")
}

fn result(era: Era, outcome: &Outcome) -> Result<String, ProtocolError> {
    let catalog = sample::catalog();
    let (function, _) = catalog.resource(LOGO).unwrap();
    let contents = result::contents(era, LOGO, function, outcome)?;
    Ok(serde_json::to_string(&result::of_contents(era, contents, &server())).unwrap())
}

#[track_caller]
fn check(outcome: &Outcome, expected: &str) {
    assert_eq!(result(Era::Legacy, outcome).unwrap(), expected);
}

fn read(uri: &str, era: Era, catalog: &Catalog) -> Result<(String, Value), ProtocolError> {
    let params = json!({ "uri": uri }).to_string();
    let read = Read::parse(&params).unwrap();
    let (function, arguments) = read.function(catalog, era)?;
    Ok((function.name.clone(), serde_json::from_str(arguments.get()).unwrap()))
}

#[test]
fn fixed_resources_and_templates_are_listed_apart() {
    let resources = Resources::new(&sample::catalog(), &server());
    assert_eq!(
        resources.list(Era::Legacy, "{}").unwrap().get(),
        concat!(
            r#"{"resources":[{"uri":"app://logo","name":"thing","title":"Thing","description":"A thing.","mimeType":"text/x-thing","size":7,"icons":[],"annotations":{"priority":1},"_meta":{"a":1}},"#,
            r#"{"uri":"skill://pdf/SKILL.md","name":"pdf","description":"Reads PDF files.","mimeType":"text/markdown","size":4}]}"#,
        )
    );
    assert_eq!(
        resources.templates(Era::Legacy, "{}").unwrap().get(),
        r#"{"resourceTemplates":[{"uriTemplate":"app://notes/{folder}/{+path}","name":"thing","title":"Thing","description":"A thing.","mimeType":"text/x-thing","icons":[],"annotations":{"priority":1},"_meta":{"a":1}}]}"#
    );
    let modern = resources.list(Era::Modern, "{}").unwrap();
    assert!(modern.get().contains(r#""ttlMs":10000,"cacheScope":"public""#), "{modern}");
}

#[test]
fn the_variables_of_a_template_are_the_arguments() {
    let catalog = sample::catalog();
    let template = "app://notes/{folder}/{+path}".to_owned();
    assert_eq!(
        read("app://notes/a%20b/c/d", Era::Modern, &catalog).unwrap(),
        (template, json!({ "folder": "a b", "path": "c/d" }))
    );
    assert_eq!(read(LOGO, Era::Modern, &catalog).unwrap(), (LOGO.to_owned(), json!({})));
}

#[test]
fn a_resource_that_is_not_there_is_an_error_with_its_uri() {
    for (era, code) in [(Era::Modern, -32602), (Era::Legacy, -32002)] {
        let missing = read("app://none", era, &sample::catalog()).unwrap_err();
        assert_eq!(missing.code(), code);
        assert_eq!(missing.to_string(), "Resource not found: 'app://none'");
        for outcome in [Outcome::Nothing, Outcome::Contents(Vec::new())] {
            let missing = result(era, &outcome).unwrap_err();
            assert_eq!(missing.code(), code);
            assert!(matches!(missing, ProtocolError::Resource { uri, .. } if uri == LOGO));
        }
    }
}

#[test]
fn params_that_name_no_uri_are_refused() {
    for params in ["{}", r#"{"uri":7}"#, r#"{"uri":null}"#, r#"{"uri":"a:b","uri":"a:c"}"#] {
        assert_eq!(Read::parse(params).unwrap_err().code(), -32602, "{params}");
    }
}

#[test]
fn what_a_function_does_not_say_is_as_it_declares() {
    check(
        &Outcome::Text("a".to_owned()),
        r#"{"contents":[{"uri":"app://logo","mimeType":"text/x-thing","text":"a"}]}"#,
    );
    check(
        &Outcome::Bytes(b"abc".to_vec()),
        r#"{"contents":[{"uri":"app://logo","mimeType":"text/x-thing","blob":"YWJj"}]}"#,
    );
    check(
        &Outcome::Value(sample::json(r#"{"a": 1}"#)),
        r#"{"contents":[{"uri":"app://logo","mimeType":"text/x-thing","text":"{\"a\": 1}"}]}"#,
    );
    let contents = |uri: Option<&str>, mime_type: Option<&str>| ResourceContents {
        uri: uri.map(str::to_owned),
        mime_type: mime_type.map(str::to_owned),
        body: ResourceBody::Text("t".to_owned()),
        meta: Some(sample::json(r#"{"b":2}"#)),
    };
    check(
        &Outcome::Contents(vec![contents(None, None), contents(Some("a:b"), Some("x/y"))]),
        concat!(
            r#"{"contents":[{"uri":"app://logo","mimeType":"text/x-thing","text":"t","_meta":{"b":2}},"#,
            r#"{"uri":"a:b","mimeType":"x/y","text":"t","_meta":{"b":2}}]}"#,
        ),
    );
}

#[test]
fn a_value_of_no_declared_type_is_json() {
    let mut function = (**sample::catalog().resource(LOGO).unwrap().0).clone();
    let Trigger::Resource(resource) = &mut function.trigger else { panic!("it is a resource") };
    resource.mime_type = None;
    for (outcome, expected) in [
        (
            Outcome::Value(sample::json("1")),
            r#"{"contents":[{"uri":"app://logo","mimeType":"application/json","text":"1"}]}"#,
        ),
        (Outcome::Text("1".to_owned()), r#"{"contents":[{"uri":"app://logo","text":"1"}]}"#),
    ] {
        let contents = result::contents(Era::Legacy, LOGO, &function, &outcome).unwrap();
        assert_eq!(serde_json::to_string(&contents).unwrap(), expected);
    }
}

#[test]
fn the_modern_era_says_that_a_read_is_for_nobody_else_and_now() {
    assert_eq!(
        result(Era::Modern, &Outcome::Text("a".to_owned())).unwrap(),
        r#"{"resultType":"complete","contents":[{"uri":"app://logo","mimeType":"text/x-thing","text":"a"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
    );
}

#[test]
fn a_failure_is_an_error_in_the_words_of_the_function() {
    let failure = Failure { message: "no luck".to_owned(), details: None };
    let error = result(Era::Modern, &Outcome::Failure(failure)).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (-32603, "no luck"));
    let request = InputRequest { questions: Vec::new(), state: Vec::new() };
    let error = result(Era::Modern, &Outcome::InputRequired(request)).unwrap_err();
    assert!(matches!(error, ProtocolError::Internal));
}

#[test]
fn files_of_skills_are_text_where_they_are() {
    let catalog = sample::catalog();
    let shown = |uri: &str| {
        let (_, file) = catalog.file(uri).unwrap();
        serde_json::to_string(&result::of_file(Era::Legacy, file, &server())).unwrap()
    };
    assert_eq!(
        shown("skill://pdf/SKILL.md"),
        r#"{"contents":[{"uri":"skill://pdf/SKILL.md","mimeType":"text/markdown","text":"---\n"}]}"#
    );
    assert_eq!(
        shown("skill://pdf/assets/deep/logo.png"),
        r#"{"contents":[{"uri":"skill://pdf/assets/deep/logo.png","mimeType":"image/png","blob":"/wA="}]}"#
    );
}
