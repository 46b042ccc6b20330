//! What the host reads from `describe`, for every kind of tool.

use mcpfn_sdk::{
    Argument, Out, ToolArguments, ToolContext, ToolOutput, blob_input, blob_output, mcp_tool,
    runtime::Function,
    serde_json::{Value, json},
    testing,
    wit::{Binding, Direction, InputSchema, PropertyKind, ToolProperty, ToolTrigger, Trigger},
};

fn trigger<F: Function>() -> ToolTrigger {
    match testing::describe::<F>().trigger {
        Trigger::Tool(tool) => tool,
        other => panic!("{other:?} is no tool"),
    }
}

fn properties<F: Function>() -> Vec<ToolProperty> {
    match trigger::<F>().input {
        InputSchema::Properties(properties) => properties,
        InputSchema::Schema(schema) => panic!("not flat: {schema}"),
    }
}

fn schema<F: Function>() -> String {
    match trigger::<F>().input {
        InputSchema::Schema(schema) => schema,
        InputSchema::Properties(properties) => panic!("flat: {properties:?}"),
    }
}

fn bindings<F: Function>() -> Vec<(String, Direction, String)> {
    let plain = |Binding { name, kind, direction, config }: Binding| {
        assert_eq!(kind, "blob");
        (name, direction, config)
    };
    testing::describe::<F>().bindings.into_iter().map(plain).collect()
}

fn shapes(properties: &[ToolProperty]) -> Vec<(&str, PropertyKind, bool, bool)> {
    properties.iter().map(|p| (p.name.as_str(), p.kind, p.array, p.required)).collect()
}

#[derive(Argument)]
#[arg(rename_all = "kebab-case")]
enum Color {
    DarkRed,
    #[arg(name = "GREEN")]
    Green,
}

/// Takes all flat types.
///
/// A second paragraph,
/// wrapped.
#[mcp_tool]
fn flat(
    /// A text.
    text: String,
    letter: char,
    whole: u64,
    number: f32,
    flag: bool,
    object: Value,
    tags: Vec<String>,
    color: Color,
    colors: Option<Vec<Color>>,
) {
    let _ = (text, letter, whole, number, flag, object, tags, color, colors);
}

#[test]
fn flat_arguments_are_properties_in_order() {
    use PropertyKind::{Boolean, Integer, Number, Object, String};

    let properties = properties::<flat>();
    assert_eq!(
        shapes(&properties),
        [
            ("text", String, false, true),
            ("letter", String, false, true),
            ("whole", Integer, false, true),
            ("number", Number, false, true),
            ("flag", Boolean, false, true),
            ("object", Object, false, true),
            ("tags", String, true, true),
            ("color", String, false, true),
            ("colors", String, true, false),
        ]
    );
    assert_eq!(properties[0].description.as_deref(), Some("A text."));
    assert_eq!(properties[1].description, None);
    assert_eq!(properties[7].enum_values, ["dark-red", "GREEN"]);
    assert_eq!(properties[8].enum_values, ["dark-red", "GREEN"]);
}

#[test]
fn the_doc_comment_is_the_description() {
    let tool = trigger::<flat>();
    assert_eq!(tool.name, "flat");
    assert_eq!(
        tool.description.as_deref(),
        Some("Takes all flat types.\n\nA second paragraph, wrapped.")
    );
    assert_eq!((tool.title, tool.annotations, tool.output_schema), (None, None, None));
}

/// Overridden.
#[mcp_tool(
    name = "Declared/Tool-1.a",
    title = "Declared",
    description = "Says it itself.",
    read_only = true,
    destructive = false,
    idempotent = true,
    open_world = false,
    headers = ["x-team", "User-Agent"],
    icons = r#"[{"src":"data:,"}]"#,
    meta = r#"{"example.com/a":1}"#
)]
fn declared() {}

#[test]
fn everything_that_is_said_reaches_the_host() {
    let function = testing::describe::<declared>();
    assert_eq!(function.name, "Declared/Tool-1.a");
    assert_eq!(function.options.len(), 1);
    assert_eq!(function.options[0].name, "headers");
    assert!(
        matches!(&function.options[0].value, mcpfn_sdk::wit::Value::Json(json) if json == r#"["x-team","User-Agent"]"#)
    );
    let tool = trigger::<declared>();
    assert_eq!(tool.title.as_deref(), Some("Declared"));
    assert_eq!(tool.description.as_deref(), Some("Says it itself."));
    assert_eq!(
        tool.annotations.as_deref(),
        Some(
            r#"{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}"#
        )
    );
    assert_eq!(tool.icons.as_deref(), Some(r#"[{"src":"data:,"}]"#));
    assert_eq!(tool.meta.as_deref(), Some(r#"{"example.com/a":1}"#));
}

#[derive(Argument)]
struct Place {
    /// The town.
    town: String,
    floor: Option<i8>,
}

#[derive(ToolArguments)]
#[arg(rename_all = "camelCase")]
struct Order {
    /// What.
    #[arg(min_length = 1, max_length = 9, pattern = "^[a-z]+$", format = "x")]
    item_name: String,
    #[arg(min = 1, max = 99, default = 2)]
    n_items: u8,
    #[arg(min_items = 1, max_items = 2)]
    places: Vec<Place>,
}

/// Takes an order.
#[mcp_tool]
fn order(request: Order) -> String {
    let places: Vec<_> =
        request.places.iter().map(|place| format!("{} {:?}", place.town, place.floor)).collect();
    format!("{} {} {}", request.item_name, request.n_items, places.join(";"))
}

#[test]
fn nested_and_constrained_arguments_are_a_document() {
    assert_eq!(
        schema::<order>(),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""itemName":{"type":"string","minLength":1,"maxLength":9,"pattern":"^[a-z]+$","format":"x","#,
            r#""description":"What."},"#,
            r#""nItems":{"type":"integer","minimum":1,"maximum":99,"default":2,"description":""},"#,
            r#""places":{"type":"array","items":{"type":"object","properties":{"#,
            r#""town":{"type":"string","description":"The town."},"floor":{"type":"integer","description":""}},"#,
            r#""required":["town"]},"minItems":1,"maxItems":2,"description":""}},"#,
            r#""required":["itemName","places"]}"#,
        )
    );
}

#[derive(ToolArguments)]
struct Plain {
    /// The name.
    name: String,
    nickname: Option<String>,
}

/// Takes a struct of flat fields.
#[mcp_tool]
fn plain(request: Plain, context: ToolContext) -> String {
    format!("{} {:?} {}", request.name, request.nickname, context.name())
}

#[test]
fn a_struct_of_flat_fields_is_flat() {
    use PropertyKind::String;

    assert_eq!(
        shapes(&properties::<plain>()),
        [("name", String, false, true), ("nickname", String, false, false)]
    );
}

/// Takes nothing.
#[mcp_tool]
fn bare() {}

#[test]
fn a_tool_without_arguments_has_no_properties() {
    assert!(properties::<bare>().is_empty());
}

const OWN: &str = r#"{ "type": "object",  "additionalProperties": false }"#;

/// Gives its schema itself.
#[mcp_tool(input_schema = OWN, output_schema = r#"{"type":"object"}"#)]
fn own() -> Value {
    json!({})
}

#[test]
fn a_schema_of_the_tool_passes_unchanged() {
    assert_eq!(schema::<own>(), OWN);
    assert_eq!(trigger::<own>().output_schema.as_deref(), Some(r#"{"type":"object"}"#));
}

#[derive(ToolOutput)]
#[output(rename_all = "camelCase")]
struct Report {
    /// The text.
    full_text: String,
    #[output(name = "n", description = "How many.")]
    count: Option<u8>,
    parts: Vec<Part>,
}

#[derive(ToolOutput)]
struct Part {
    ratio: f64,
}

/// Reports.
#[mcp_tool]
fn report() -> Result<Report, String> {
    let parts = vec![Part { ratio: 0.5 }];
    Ok(Report { full_text: "a \"b\"".into(), count: None, parts })
}

#[test]
fn the_schema_of_a_result_is_published() {
    assert_eq!(
        trigger::<report>().output_schema.as_deref(),
        Some(concat!(
            r#"{"type":"object","properties":{"fullText":{"type":"string","description":"The text."},"#,
            r#""n":{"type":"integer","description":"How many."},"#,
            r#""parts":{"type":"array","items":{"type":"object","properties":{"ratio":{"type":"number"}},"#,
            r#""required":["ratio"]}}},"required":["fullText","parts"]}"#,
        ))
    );
}

/// Reports, if there is something to report.
#[mcp_tool]
fn maybe_report(any: bool) -> Option<Report> {
    any.then(|| Report { full_text: String::new(), count: None, parts: Vec::new() })
}

/// Tries to.
#[mcp_tool]
fn try_maybe_report(any: bool) -> Result<Option<Report>, String> {
    Ok(maybe_report(any))
}

#[test]
fn a_result_that_may_be_nothing_promises_no_schema() {
    assert_eq!(trigger::<maybe_report>().output_schema, None);
    assert_eq!(trigger::<try_maybe_report>().output_schema, None);
}

/// Above and below its trigger.
#[blob_input(name = "one", path = "a/{mcptoolargs.NAME=no.name}", connection = "Other")]
#[blob_output(name = "$return", path = "b/{mcptoolargs.name}")]
#[mcp_tool]
#[blob_output(name = "two", path = "c/x")]
fn bound(
    name: String,
    one: Option<String>,
    two: Out<String>,
    #[blob_input(path = "d/{{x}}/{rand-guid}/%Setting%", name = "renamed")] three: Vec<u8>,
) -> String {
    two.set(one.unwrap_or_default());
    String::from_utf8(three).unwrap_or_default()
}

#[test]
fn bindings_keep_their_order_above_and_below_the_trigger() {
    let expected = [
        (
            "one",
            Direction::Input,
            r#"{"path":"a/{mcptoolargs.NAME=no.name}","connection":"Other"}"#,
        ),
        ("$return", Direction::Output, r#"{"path":"b/{mcptoolargs.name}"}"#),
        ("two", Direction::Output, r#"{"path":"c/x"}"#),
        (
            "renamed",
            Direction::Input,
            r#"{"path":"d/{{x}}/{rand-guid}/%Setting%","dataType":"binary"}"#,
        ),
    ];
    let expected =
        expected.map(|(name, direction, config)| (name.to_owned(), direction, config.to_owned()));
    assert_eq!(bindings::<bound>(), expected);
}
