//! What a tool gets and gives when the host calls it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashMap;

use mcpfn_sdk::{
    Argument, Content, Json, Out, Reply, ToolArguments, ToolContext, ToolOutput, blob_input,
    blob_output, mcp_tool,
    runtime::Function,
    serde::{Deserialize, Serialize},
    serde_json::{self, Value, json},
    testing::Call,
    wit::{self, Block, Outcome},
};

fn outcome<F: Function>(arguments: &str) -> Outcome {
    Call::new(arguments).run::<F>().unwrap().outcome
}

fn text<F: Function>(arguments: &str) -> String {
    match outcome::<F>(arguments) {
        Outcome::Text(text) => text,
        other => panic!("no text: {other:?}"),
    }
}

fn value<F: Function>(arguments: &str) -> String {
    match outcome::<F>(arguments) {
        Outcome::Value(json) => json,
        other => panic!("not structured: {other:?}"),
    }
}

fn message<F: Function>(call: Call) -> String {
    call.run::<F>().unwrap_err().message
}

#[derive(Argument, Debug)]
enum Unit {
    Metric,
    Imperial,
}

#[derive(Argument)]
struct Place {
    town: String,
    #[arg(default = true)]
    open: bool,
}

/// Shows what it got.
#[mcp_tool]
fn show(
    text: String,
    whole: i32,
    number: f64,
    letter: char,
    unit: Unit,
    list: Vec<u8>,
    place: Place,
    map: HashMap<String, i64>,
    #[arg(name = "Maybe")] maybe: Option<String>,
    #[arg(default = "Imperial")] other: Unit,
    #[arg(default = -1.5)] ratio: f32,
) -> String {
    format!(
        "{text} {whole} {number} {letter} {unit:?} {list:?} {} {} {map:?} {maybe:?} {other:?} {ratio}",
        place.town, place.open
    )
}

const ALL: &str = r#"{ "text": "a\"b", "whole": 3.0, "number": 1e2, "letter": "é", "unit": "Metric",
    "list": [1, 2], "place": { "town": "Ulm", "extra": [] }, "map": { "x": -1 }, "Maybe": null }"#;

fn all_but(key: &str, value: Value) -> Call {
    let mut arguments: Value = serde_json::from_str(ALL).unwrap();
    arguments[key] = value;
    Call::new(&arguments.to_string())
}

#[test]
fn arguments_of_every_type_arrive() {
    let expected = "a\"b 3 100 é Metric [1, 2] Ulm true {\"x\": -1} None Imperial -1.5";
    assert_eq!(text::<show>(ALL), expected);
}

#[test]
fn an_argument_that_does_not_fit_names_its_path() {
    let cases = [
        ("text", json!(1), "/text: expected string, got number"),
        ("text", json!(null), "/text: is missing"),
        ("whole", json!(1.5), "/whole: expected integer, got number"),
        (
            "whole",
            json!(3_000_000_000_u32),
            "/whole: expected an integer from -2147483648 to 2147483647, got 3000000000",
        ),
        ("number", json!("1"), "/number: expected number, got string"),
        ("letter", json!("ab"), "/letter: expected one character"),
        ("unit", json!("metric"), "/unit: expected one of `Metric`, `Imperial`, got \"metric\""),
        ("list", json!([1, 256]), "/list/1: expected an integer from 0 to 255, got 256"),
        ("place", json!({ "town": {} }), "/place/town: expected string, got object"),
        ("place", json!([]), "/place: expected object, got array"),
        ("map", json!({ "a/b": "x" }), "/map/a~1b: expected integer, got string"),
    ];
    for (key, value, expected) in cases {
        assert_eq!(message::<show>(all_but(key, value)), expected);
    }
}

#[derive(ToolArguments)]
struct Request {
    name: String,
    times: Option<usize>,
}

/// Repeats.
#[mcp_tool]
fn repeat(request: Request) -> String {
    request.name.repeat(request.times.unwrap_or(1))
}

#[test]
fn a_struct_takes_all_arguments() {
    assert_eq!(text::<repeat>(r#"{ "name": "ab", "times": 2 }"#), "abab");
    assert_eq!(text::<repeat>(r#"{ "name": "a", "name": "b" }"#), "b");
    assert_eq!(message::<repeat>(Call::new("{}")), "/name: is missing");
}

/// Knows who calls.
#[mcp_tool(headers = ["x-team"])]
fn who(context: ToolContext) -> Value {
    json!([context.name(), context.argument("a"), context.header("X-TEAM"), context.session()])
}

#[test]
fn the_context_tells_who_calls() {
    let context = ToolContext::for_test("WHO", r#"{ "a": [1] }"#)
        .with_header("x-team", "red")
        .with_session("s");
    let outcome = Call::with_context(context).run::<who>().unwrap().outcome;
    assert!(matches!(outcome, Outcome::Value(json) if json == r#"["WHO","[1]","red","s"]"#));
}

#[derive(Deserialize, Serialize)]
#[serde(crate = "mcpfn_sdk::serde")]
struct Point {
    y: i32,
    x: i32,
}

#[derive(ToolOutput, Serialize)]
#[serde(crate = "mcpfn_sdk::serde", rename_all = "camelCase")]
struct Both {
    long_name: String,
    #[serde(skip)]
    _hidden: u8,
    #[serde(rename = "Maybe", skip_serializing_if = "Option::is_none")]
    maybe: Option<u8>,
}

macro_rules! returning {
    ($($name:ident: $ty:ty = $value:expr;)*) => { $(
        /// Returns a value.
        #[mcp_tool]
        fn $name() -> $ty {
            $value
        }
    )* };
}

returning! {
    an_integer: i64 = 42;
    a_static_text: &'static str = "text";
    no_text: Option<String> = None;
    bytes: Vec<u8> = vec![1, 2];
    by_serde: Point = Point { y: 1, x: 2 };
    maybe_by_serde: Option<Point> = None;
    fallible_by_serde: Result<Point, String> = Ok(Point { y: 1, x: 2 });
    list_by_serde: Vec<Point> = vec![Point { y: 1, x: 2 }];
    wrapped: Json<Vec<u8>> = Json(vec![1, 2]);
    both: Both = Both { long_name: "a".into(), _hidden: 1, maybe: None };
    some_both: Option<Both> = Some(Both { long_name: "a".into(), _hidden: 1, maybe: Some(2) });
    no_both: Option<Both> = None;
    failing: Result<(), std::num::ParseIntError> = "x".parse::<u8>().map(|_| ());
    block: Content = Content::link("test://a", "a");
    nothing: Result<(), String> = Ok(());
    reply: Reply = Reply::text("a").structured([1]).error().with_meta(json!({ "k": 1 }));
    no_json: Reply = Reply::new().structured(std::collections::BTreeMap::from([((), 1)]));
}

#[test]
fn every_kind_of_result_becomes_its_outcome() {
    assert_eq!(text::<an_integer>("{}"), "42");
    assert_eq!(text::<a_static_text>("{}"), "text");
    assert!(matches!(outcome::<no_text>("{}"), Outcome::Nothing));
    assert!(matches!(outcome::<nothing>("{}"), Outcome::Nothing));
    assert!(matches!(outcome::<bytes>("{}"), Outcome::Bytes(bytes) if bytes == [1, 2]));
    assert_eq!(value::<by_serde>("{}"), r#"{"y":1,"x":2}"#);
    assert!(matches!(outcome::<maybe_by_serde>("{}"), Outcome::Nothing));
    assert_eq!(value::<fallible_by_serde>("{}"), r#"{"y":1,"x":2}"#);
    assert_eq!(value::<list_by_serde>("{}"), r#"[{"y":1,"x":2}]"#);
    assert_eq!(value::<wrapped>("{}"), "[1,2]");
    assert_eq!(value::<both>("{}"), r#"{"longName":"a"}"#);
    assert_eq!(value::<some_both>("{}"), r#"{"longName":"a","Maybe":2}"#);
    assert!(matches!(outcome::<no_both>("{}"), Outcome::Nothing));
    let Outcome::Reply(block) = outcome::<block>("{}") else { panic!("it is a block") };
    assert!(
        matches!(&block.content[0].block, Block::Link(json) if json == r#"{"uri":"test://a","name":"a"}"#)
    );
    let Outcome::Reply(reply) = outcome::<reply>("{}") else { panic!("it is a reply") };
    assert!(reply.is_error);
    assert_eq!(
        (reply.structured.as_deref(), reply.meta.as_deref()),
        (Some("[1]"), Some(r#"{"k":1}"#))
    );
}

#[test]
fn the_message_of_an_error_is_kept() {
    assert_eq!(message::<failing>(Call::new("{}")), "invalid digit found in string");
    assert!(message::<no_json>(Call::new("{}")).starts_with("the structured content is no JSON: "));
}

/// Reads blobs.
#[mcp_tool]
fn read(
    #[blob_input(path = "a/a")] text: String,
    #[blob_input(path = "a/b")] bytes: Option<Vec<u8>>,
    #[blob_input(path = "a/c")] point: Option<Point>,
    #[blob_input(path = "a/d")] json: Option<Json<Vec<u8>>>,
) -> String {
    format!("{text} {bytes:?} {:?} {:?}", point.map(|point| point.x), json.map(|json| json.0))
}

fn read_call() -> Call {
    Call::new("{}").input("text", wit::Value::Bytes("é".into()))
}

#[test]
fn blobs_fill_parameters_of_every_type() {
    let call = read_call()
        .input("bytes", wit::Value::Text("a".into()))
        .input("point", wit::Value::Bytes(br#"{"x":1,"y":2}"#.into()))
        .input("json", wit::Value::Json("[7]".into()));
    let Outcome::Text(text) = call.run::<read>().unwrap().outcome else { panic!("it is a text") };
    assert_eq!(text, "é Some([97]) Some(1) Some([7])");
    let Outcome::Text(text) = read_call().run::<read>().unwrap().outcome else {
        panic!("it is a text")
    };
    assert_eq!(text, "é None None None");
}

#[test]
fn a_blob_that_cannot_be_used_is_named() {
    assert_eq!(message::<read>(Call::new("{}")), "the blob `text` does not exist");
    let call = Call::new("{}").input("text", wit::Value::Bytes(vec![0xff]));
    assert_eq!(message::<read>(call), "the blob `text` is not UTF-8 text");
    let call = read_call().input("point", wit::Value::Text("{}".into()));
    assert!(
        message::<read>(call)
            .starts_with("the blob `point` is not the JSON expected: missing field")
    );
}

/// Writes blobs.
#[mcp_tool]
fn write(
    unset: bool,
    #[blob_output(path = "a/a")] text: Out<String>,
    #[blob_output(path = "a/b")] bytes: Out<Vec<u8>>,
    #[blob_output(path = "a/c")] point: Out<Point>,
) {
    text.set("first");
    text.set("second");
    if !unset {
        bytes.set([1]);
        point.set(Point { y: 0, x: 1 });
    }
}

#[test]
fn outputs_that_are_set_are_written_in_order() {
    let outputs = Call::new(r#"{ "unset": false }"#).run::<write>().unwrap().outputs;
    let names: Vec<_> = outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["text", "bytes", "point"]);
    assert!(matches!(&outputs[0].value, wit::Value::Text(text) if text == "second"));
    assert!(matches!(&outputs[1].value, wit::Value::Bytes(bytes) if bytes == &[1]));
    assert!(matches!(&outputs[2].value, wit::Value::Json(json) if json == r#"{"y":0,"x":1}"#));
    assert_eq!(Call::new(r#"{ "unset": true }"#).run::<write>().unwrap().outputs.len(), 1);
}

mcpfn_sdk::functions![show, repeat, who, read, write];
