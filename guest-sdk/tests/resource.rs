//! Resources: what the host reads of them, and what they give it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use mcpfn_sdk::{
    Argument, Completing, Json, ResourceContents, ToolContext, ToolOutput, blob_input,
    mcp_resource,
    runtime::Function,
    serde::Serialize,
    serde_json::{Value, json},
    testing::{self, Call},
    wit::{self, Outcome, ResourceBody, ResourceTrigger, Trigger},
};

fn trigger<F: Function>() -> ResourceTrigger {
    match testing::describe::<F>().trigger {
        Trigger::Resource(resource) => resource,
        other => panic!("{other:?} is no resource"),
    }
}

fn outcome<F: Function>(arguments: &str) -> Outcome {
    Call::new(arguments).run::<F>().unwrap().outcome
}

fn message<F: Function>(arguments: &str) -> String {
    Call::new(arguments).run::<F>().unwrap_err().message
}

/// Says hello,
/// to everybody.
#[mcp_resource(
    uri = "test://hello",
    name = "A greeting",
    title = "Hello",
    mime_type = "text/plain",
    size = 5,
    annotations = r#"{ "priority": 1 }"#,
    icons = r#"[{ "src": "a.png" }]"#,
    meta = r#"{ "k": 1 }"#,
    headers = ["x-team"]
)]
fn hello() -> &'static str {
    "hello"
}

#[mcp_resource(uri = "test://plain")]
fn plain() -> String {
    String::new()
}

#[test]
fn what_is_said_is_declared() {
    let function = testing::describe::<hello>();
    assert_eq!(function.name, "hello");
    assert_eq!(function.options[0].name, "headers");
    let resource = trigger::<hello>();
    assert_eq!((resource.uri.as_str(), resource.name.as_str()), ("test://hello", "A greeting"));
    assert_eq!(resource.title.as_deref(), Some("Hello"));
    assert_eq!(resource.description.as_deref(), Some("Says hello, to everybody."));
    assert_eq!((resource.mime_type.as_deref(), resource.size), (Some("text/plain"), Some(5)));
    assert_eq!(resource.annotations.as_deref(), Some(r#"{ "priority": 1 }"#));
    assert_eq!(resource.icons.as_deref(), Some(r#"[{ "src": "a.png" }]"#));
    assert_eq!(resource.meta.as_deref(), Some(r#"{ "k": 1 }"#));
    let resource = trigger::<plain>();
    assert_eq!(
        (resource.name.as_str(), resource.description, resource.size),
        ("plain", None, None)
    );
}

#[derive(Argument)]
#[arg(rename_all = "lowercase")]
enum Unit {
    Metric,
    Imperial,
}

fn towns(typed: &Completing) -> Vec<String> {
    vec![format!("{}-{}", typed.value(), typed.argument("day").unwrap_or("?"))]
}

/// The weather of a day.
#[mcp_resource(uri = "weather://{town}/{day}/{unit}/{+rest}")]
fn weather(
    #[completion(towns)] town: String,
    day: u8,
    unit: Unit,
    context: ToolContext,
    #[arg(name = "rest")] path: Option<String>,
) -> String {
    let unit = matches!(unit, Unit::Metric);
    format!("{town} {day} {unit} {path:?} {}", context.invocation_id())
}

#[test]
fn variables_are_read_from_texts() {
    let arguments = r#"{ "town": "3", "day": "7", "unit": "metric", "rest": "a/b" }"#;
    let Outcome::Text(text) = outcome::<weather>(arguments) else { panic!("it is a text") };
    assert_eq!(text, r#"3 7 true Some("a/b") test"#);
    let arguments = r#"{ "town": "Ulm", "day": "300", "unit": "metric" }"#;
    assert_eq!(message::<weather>(arguments), "/day: expected an integer from 0 to 255, got `300`");
    let arguments = r#"{ "town": "Ulm", "day": "1", "unit": "old" }"#;
    assert_eq!(
        message::<weather>(arguments),
        r#"/unit: expected one of `metric`, `imperial`, got "old""#
    );
    assert!(message::<weather>("{}").starts_with("/town: is missing"));
    assert!(matches!(Unit::from_json("\"imperial\""), Ok(Unit::Imperial)));
}

#[test]
fn variables_are_completed() {
    assert_eq!(trigger::<weather>().completes, ["town"]);
    let call = Call::new(r#"{ "day": "7" }"#);
    assert_eq!(call.complete::<weather>("town", "U").unwrap().values(), ["U-7"]);
    let failure = Call::new("{}").complete::<weather>("day", "").unwrap_err();
    assert_eq!(failure.message, "there are no suggestions for `day`");
}

/// Is in a blob.
#[mcp_resource(uri = "note://{folder}/{name}")]
fn note(
    folder: String,
    name: String,
    #[blob_input(path = "notes/{folder}/{mcpresourceargs.name}-{rand-guid}.txt")] note: Option<
        String,
    >,
) -> Option<String> {
    note
}

#[test]
fn a_blob_is_the_content_and_no_blob_is_no_resource() {
    let binding = &testing::describe::<note>().bindings[0];
    assert_eq!(
        binding.config,
        r#"{"path":"notes/{folder}/{mcpresourceargs.name}-{rand-guid}.txt"}"#
    );
    let call = Call::new(r#"{ "folder": "a", "name": "b" }"#);
    let call = call.input("note", wit::Value::Bytes(b"c".into()));
    let Outcome::Text(text) = call.run::<note>().unwrap().outcome else { panic!("it is a text") };
    assert_eq!(text, "c");
    assert!(matches!(outcome::<note>(r#"{ "folder": "a", "name": "b" }"#), Outcome::Nothing));
}

#[derive(Serialize, Clone)]
#[serde(crate = "mcpfn_sdk::serde")]
struct Point {
    x: i32,
}

#[derive(ToolOutput)]
struct Place {
    town: &'static str,
}

#[mcp_resource(uri = "test://bytes")]
fn bytes() -> Vec<u8> {
    vec![0]
}

#[mcp_resource(uri = "test://value")]
fn value() -> Value {
    json!([1])
}

#[mcp_resource(uri = "test://wrapped")]
fn wrapped() -> Json<Vec<u8>> {
    Json(vec![1])
}

#[mcp_resource(uri = "test://serialized")]
fn serialized() -> Point {
    Point { x: 1 }
}

#[mcp_resource(uri = "test://derived")]
fn derived() -> Place {
    Place { town: "Ulm" }
}

#[mcp_resource(uri = "test://maybe")]
fn maybe() -> Option<Point> {
    None
}

#[mcp_resource(uri = "test://list")]
fn list() -> Vec<Point> {
    vec![Point { x: 1 }; 2]
}

#[mcp_resource(uri = "test://fallible")]
fn fallible() -> Result<Option<Point>, String> {
    Err(String::from("not today"))
}

#[mcp_resource(uri = "test://full")]
fn full() -> Vec<ResourceContents> {
    vec![
        ResourceContents::text("a").at("test://a").mime_type("text/html"),
        ResourceContents::bytes([1]).with_meta(json!({ "k": 1 })),
    ]
}

#[test]
fn results_become_contents() {
    let value_of = |outcome| match outcome {
        Outcome::Value(json) => json,
        other => panic!("no value: {other:?}"),
    };
    assert!(matches!(outcome::<hello>("{}"), Outcome::Text(text) if text == "hello"));
    assert!(matches!(outcome::<bytes>("{}"), Outcome::Bytes(bytes) if bytes == [0]));
    assert_eq!(value_of(outcome::<value>("{}")), "[1]");
    assert_eq!(value_of(outcome::<wrapped>("{}")), "[1]");
    assert_eq!(value_of(outcome::<serialized>("{}")), r#"{"x":1}"#);
    assert_eq!(value_of(outcome::<derived>("{}")), r#"{"town":"Ulm"}"#);
    assert_eq!(value_of(outcome::<list>("{}")), r#"[{"x":1},{"x":1}]"#);
    assert!(matches!(outcome::<maybe>("{}"), Outcome::Nothing));
    assert_eq!(message::<fallible>("{}"), "not today");
    let Outcome::Contents(contents) = outcome::<full>("{}") else { panic!("they are contents") };
    assert_eq!(contents[0].uri.as_deref(), Some("test://a"));
    assert_eq!(contents[0].mime_type.as_deref(), Some("text/html"));
    assert!(matches!(&contents[1].body, ResourceBody::Bytes(bytes) if bytes == &[1]));
    assert_eq!(contents[1].meta.as_deref(), Some(r#"{"k":1}"#));
}

mcpfn_sdk::functions![hello, plain, weather, note; skills = ["tests/skills/sums"]];
