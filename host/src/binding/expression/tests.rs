//! What templates may say, which values they take, and under which names.

use std::collections::HashSet;

use serde_json::{Map, Value, json, value::RawValue};

use super::{BindingData, Purpose, Template};
use crate::{
    binding::{DeclarationError, Scope, scope::Root},
    function::Schema,
};

/// What there is, for messages.
const EXPECTED: &str = "(expected `{mcptoolargs.NAME}`, `{DateTime}`, `{rand-guid}`, `{sys.utcnow}`, \
    `{sys.randguid}`, `{sys.methodname}`, `{mcpsessionid}`, `{mcptoolcontext.name}`)";

fn setting(name: &str) -> Option<String> {
    match name {
        "Container" => Some("snippets".to_owned()),
        "Template" => Some("{mcptoolargs.name}".to_owned()),
        "Secret" => Some("AccountKey s3cret".to_owned()),
        "Opening" => Some("{".to_owned()),
        "Percent" => Some("100%".to_owned()),
        "Empty" => Some(String::new()),
        _ => None,
    }
}

fn schema(value: &Value) -> Schema {
    Schema::parse_input(value.to_string()).unwrap()
}

fn named(names: &[&str]) -> Schema {
    let properties: Map<_, _> =
        names.iter().map(|&name| (name.to_owned(), json!({"type": "string"}))).collect();
    schema(&json!({"type": "object", "properties": properties}))
}

fn parse(text: &str, root: Root, schema: &Schema) -> Result<Template, DeclarationError> {
    Template::parse("path", text, Purpose::StorageName, &setting, &Scope::new(root, schema))
}

/// A template against any arguments, as text or as the message.
fn fill(template: &str, arguments: &str) -> Result<Option<String>, String> {
    fill_checked(template, &schema(&json!({"type": "object"})), arguments)
}

fn fill_checked(
    template: &str,
    schema: &Schema,
    arguments: &str,
) -> Result<Option<String>, String> {
    let template = parse(template, Root::Tool, schema).map_err(|error| error.to_string())?;
    let values: Map<String, Value> = serde_json::from_str(arguments).unwrap();
    let text: &RawValue = serde_json::from_str(arguments).unwrap();
    template.text(&BindingData::of_arguments(&values, text)).map_err(|error| error.to_string())
}

#[track_caller]
fn check(template: &str, arguments: &Value, expected: &str) {
    assert_eq!(
        fill(template, &arguments.to_string()).as_ref().map(Option::as_deref),
        Ok(Some(expected))
    );
}

#[track_caller]
fn check_parse(template: &str, reason: &str) {
    let error = parse(template, Root::Tool, &Schema::any_object()).unwrap_err();
    assert_eq!(error.to_string(), format!("path `{template}`: {reason}"));
}

#[track_caller]
fn check_schema(template: &str, schema: &Schema, reason: &str) {
    let error = parse(template, Root::Tool, schema).unwrap_err();
    assert_eq!(error.to_string(), format!("path `{template}`: {reason}"));
}

#[test]
fn literals_doubled_brackets_and_arguments_are_put_together() {
    let arguments = json!({"p1": "container", "d3": "path/to", "name": "file.1", "ext": "txt"});
    check(
        "{mcptoolargs.p1}-p2/{{2014}}/{mcptoolargs.d3:path}/folder/{mcptoolargs.name}.{mcptoolargs.ext}",
        &arguments,
        "container-p2/{2014}/path/to/folder/file.1.txt",
    );
    check("a/b", &arguments, "a/b");
    check("{{{mcptoolargs.name}}}", &arguments, "{file.1}");
    check("é{mcptoolargs.name}é", &arguments, "éfile.1é");
}

#[test]
fn nested_arguments_are_reached_by_dots() {
    check("container/{mcptoolargs.a.b.c}", &json!({"a": {"b": {"c": 123}}}), "container/123");
    assert_eq!(fill("{mcptoolargs.a.b}", r#"{"a":{}}"#), Ok(None));
    assert_eq!(fill("{mcptoolargs.a.b}", r#"{"a":null}"#), Ok(None));
    assert_eq!(
        fill("{mcptoolargs.a.b}", r#"{"a":"text"}"#),
        Err("argument `a.b` is looked for in a value that is not an object".to_owned())
    );
}

#[test]
fn the_first_part_is_read_in_any_case() {
    check("{McpToolArgs.name}", &json!({"name": "a"}), "a");
}

#[test]
fn settings_are_replaced_first_and_only_in_the_configured_text() {
    check(
        "%Container%/{mcptoolargs.name}",
        &json!({"name": "%Container%"}),
        "snippets/%Container%",
    );
    check("%Container%/%Template%", &json!({"name": "a"}), "snippets/a");
    check("a%Empty%b/%Percent%", &json!({}), "ab/100%");
    let define = "has no value (define it in local.settings.json or the environment)";
    check_parse("%Missing%/a", &format!("the setting `Missing` {define}"));
    check_parse("a%%b", &format!("the setting `` {define}"));
    check_parse("a/b%", "the `%` at position 4 has no closing `%`");
    check_parse("é/%Container%/100%", "the `%` at position 18 has no closing `%`");
}

#[test]
fn messages_quote_what_was_configured_and_never_a_setting() {
    check_parse("é%Secret%{", "missing closing bracket at position 10");
    check_parse("%Secret%}", "missing opening bracket at position 9");
    check_parse("a/%Opening%", "missing closing bracket at position 3");
    check_parse(
        "a/{%Secret%}",
        &format!("unknown expression `{{%Secret%}}` at position 3 {EXPECTED}"),
    );
    check_parse(
        "a/{mcptoolargs.%Secret%.}",
        "`{mcptoolargs.%Secret%.}` at position 3 names no argument (expected `{mcptoolargs.NAME}`)",
    );
    check_parse(
        "a/{mcptoolargs.a:%Secret%}",
        "unknown format in `{mcptoolargs.a:%Secret%}` at position 3 (expected `:path`)",
    );
    check_parse(
        "a/%Opening%Secret}",
        &format!("unknown expression `%Opening%Secret}}` at position 3 {EXPECTED}"),
    );
    let schema = named(&["name", "snippet"]);
    check_schema(
        "a/{mcptoolargs.%Secret%}",
        &schema,
        "the function has no argument `{mcptoolargs.%Secret%}` (expected `name`, `snippet`)",
    );
    check_schema(
        "a/{mcptoolargs.name.%Secret%}",
        &schema,
        "argument `name` is of type string and has no `{mcptoolargs.name.%Secret%}`",
    );
    assert_eq!(
        fill("{mcptoolargs.name.%Secret%}", r#"{"name":"a"}"#),
        Err(
            "argument `{mcptoolargs.name.%Secret%}` is looked for in a value that is not an object"
                .to_owned()
        )
    );
    assert_eq!(
        fill_checked("%Template%", &schema, r#"{"name":".."}"#),
        Err("argument `name` cannot be part of a path: it has a path segment `.` or `..`"
            .to_owned())
    );
}

#[test]
fn templates_that_cannot_be_read_are_errors_with_the_position() {
    check_parse("a/{}", "the parameter name at position 4 is empty");
    check_parse("a/{mcptoolargs.name", "missing closing bracket at position 3");
    check_parse("a/}b", "missing opening bracket at position 3");
    check_parse("a/{mcptoolargs.{b}}", "missing closing bracket at position 15");
    check_parse(
        "a/{mcptoolargs}",
        "`{mcptoolargs}` at position 3 names no argument (expected `{mcptoolargs.NAME}`)",
    );
    check_parse(
        "a/{mcptoolargs.a..b}",
        "`{mcptoolargs.a..b}` at position 3 names no argument (expected `{mcptoolargs.NAME}`)",
    );
    check_parse(
        "a/{mcptoolargs.a:N}",
        "unknown format in `{mcptoolargs.a:N}` at position 3 (expected `:path`)",
    );
    for unknown in ["arguments.a", "x", "é"] {
        let template = format!("a/{{{unknown}}}");
        check_parse(
            &template,
            &format!("unknown expression `{{{unknown}}}` at position 3 {EXPECTED}"),
        );
    }
    for (unknown, meant) in [
        ("toolargs.a", "mcptoolargs.NAME"),
        ("mcptoolarg.a:path", "mcptoolargs.NAME"),
        ("date-time", "DateTime"),
        (" DateTime ", "DateTime"),
        ("randguid", "rand-guid"),
        ("sys.now", "sys.utcnow"),
    ] {
        let template = format!("a/{{{unknown}}}");
        let hint = format!("(did you mean `{{{meant}}}`?)");
        check_parse(&template, &format!("unknown expression `{{{unknown}}}` at position 3 {hint}"));
    }
}

#[test]
fn an_argument_is_found_exactly_or_else_by_the_only_name_equal_but_for_case() {
    let both = named(&["name", "Name", "other"]);
    let filled =
        |template: &str| fill_checked(template, &both, r#"{"name":"a","Name":"b","other":"c"}"#);
    assert_eq!(filled("{mcptoolargs.Name}"), Ok(Some("b".to_owned())));
    assert_eq!(filled("{mcptoolargs.OTHER}"), Ok(Some("c".to_owned())));
    check_schema(
        "{mcptoolargs.NAME}",
        &both,
        "`NAME` may be the argument `name` or `Name`: write one of them exactly",
    );
}

#[test]
fn an_unknown_argument_is_an_error_with_the_nearest_name() {
    let schema = named(&["snippetname", "snippet"]);
    check_schema(
        "{mcptoolargs.snipetname}",
        &schema,
        "the function has no argument `snipetname` (did you mean `snippetname`?)",
    );
    check_schema(
        "{mcptoolargs.xyz}",
        &schema,
        "the function has no argument `xyz` (expected `snippetname`, `snippet`)",
    );
    check_schema("{mcptoolargs.x}", &named(&[]), "the function has no argument `x`");
    check_schema(
        "{mcptoolargs.snippet.x}",
        &schema,
        "argument `snippet` is of type string and has no `x`",
    );
}

#[test]
fn nested_arguments_are_checked_as_far_as_the_schema_tells() {
    let schema = schema(&json!({
        "type": "object",
        "properties": {
            "address": {"$ref": "#/$defs/Address"},
            "open": {"type": "object"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "loop": {"$ref": "#/properties/loop"},
        },
        "$defs": {"Address": {"type": "object", "properties": {"City": {"type": "string"}}}},
    }));
    let arguments = r#"{"address":{"City":"a"},"open":{"x":{"y":"b"}},"loop":{"z":"c"}}"#;
    for (template, expected) in [
        ("{mcptoolargs.address.city}", "a"),
        ("{mcptoolargs.open.x.y}", "b"),
        ("{mcptoolargs.loop.z}", "c"),
    ] {
        assert_eq!(
            fill_checked(template, &schema, arguments),
            Ok(Some(expected.to_owned())),
            "{template}"
        );
    }
    check_schema(
        "{mcptoolargs.address.citi}",
        &schema,
        "argument `address` has no argument `citi` (did you mean `City`?)",
    );
    check_schema(
        "{mcptoolargs.tags}",
        &schema,
        "argument `tags` is of type array, which cannot be part of a path",
    );
    check_schema(
        "{mcptoolargs.tags.a}",
        &schema,
        "argument `tags` is of type array and has no `a`",
    );
}

#[test]
fn numbers_and_booleans_are_written_as_the_client_wrote_them() {
    let arguments =
        r#"{"a": 12345678901234567890123, "b": 1.50, "c": true, "d": -0, "e": {"f": 1E5}, "g": 7}"#;
    for (name, expected) in [
        ("a", "12345678901234567890123"),
        ("b", "1.50"),
        ("c", "true"),
        ("d", "-0"),
        ("e.f", "1E5"),
        ("g", "7"),
    ] {
        assert_eq!(
            fill(&format!("{{mcptoolargs.{name}}}"), arguments),
            Ok(Some(expected.to_owned()))
        );
    }
}

#[test]
fn objects_and_arrays_are_refused() {
    assert_eq!(
        fill("{mcptoolargs.a}", r#"{"a":{}}"#),
        Err("argument `a` is an object, which cannot be part of a path".to_owned())
    );
    assert_eq!(
        fill("{mcptoolargs.a}", r#"{"a":[]}"#),
        Err("argument `a` is an array, which cannot be part of a path".to_owned())
    );
}

#[test]
fn a_missing_argument_leaves_nothing_to_resolve_but_hides_no_hostile_one() {
    assert_eq!(fill("{mcptoolargs.a}/{mcptoolargs.b}", r#"{"a":"x"}"#), Ok(None));
    assert_eq!(fill("{mcptoolargs.a}/{mcptoolargs.b}", r#"{"a":null,"b":"x"}"#), Ok(None));
    let error = fill("{mcptoolargs.a}/{mcptoolargs.b}", r#"{"b":".."}"#).unwrap_err();
    assert!(error.starts_with("argument `b` "), "{error}");
}

#[test]
fn hostile_values_are_refused_by_the_name_of_the_argument() {
    let long = "x".repeat(256);
    let hostile = [
        "",
        ".",
        "..",
        "/",
        "\\",
        "../x",
        "..\\x",
        "a/b",
        "a\\b",
        "/etc/passwd",
        "a/../b",
        "%2e",
        "%2E.",
        "a%2f..",
        "%2e%2e%5ca",
        "%252e%252e",
        "%25252e.",
        "a\0b",
        "a\nb",
        "a\tb",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "a\u{2029}",
        "\u{1b}[0m",
        &long,
        &"é".repeat(128),
    ];
    for value in hostile {
        let error =
            fill("c/{mcptoolargs.name}.json", &json!({"name": value}).to_string()).unwrap_err();
        assert!(error.starts_with("argument `name` "), "{value:?}: {error}");
        assert!(value.len() < 3 || !error.contains(value), "{value:?}: {error}");
    }
}

#[test]
fn odd_values_are_kept_as_they_are() {
    let long = "x".repeat(255);
    let odd = [
        "é",
        "a b",
        "a#b",
        "100%",
        "a~b",
        "..a",
        "a%2Fb",
        "[x]",
        "a*b?",
        "%2ea",
        "%2e%2e%",
        "%%2e",
        "a:b",
        " a ",
        "{x}",
        "{{",
        "a|b",
        "a\"b'",
        "$return",
        "<a>",
        "e\u{301}",
        "日本語",
        "🦀",
        "-rf",
        "...",
        "a^b`",
        &long,
    ];
    for value in odd {
        check("c/{mcptoolargs.name}.json", &json!({"name": value}), &format!("c/{value}.json"));
    }
}

#[test]
fn the_form_path_takes_segments_and_nothing_that_leaves_them() {
    check("c/{mcptoolargs.p:path}/x", &json!({"p": "a/b c/..d"}), "c/a/b c/..d/x");
    check("c/{mcptoolargs.p:path}", &json!({"p": "a"}), "c/a");
    for hostile in
        ["", "/", "/a", "a/", "a//b", "..", "a/..", "../a", "a/./b", "a\\b", "a/\0", "a/..\\b"]
    {
        let error = fill("c/{mcptoolargs.p:path}", &json!({"p": hostile}).to_string()).unwrap_err();
        assert!(error.starts_with("argument `p` "), "{hostile:?}: {error}");
    }
}

/// A template of another kind of function, whose arguments are `name` and `other`.
fn fill_of(root: Root, template: &str, arguments: &Value) -> Result<Option<String>, String> {
    let template =
        parse(template, root, &named(&["name", "other"])).map_err(|error| error.to_string())?;
    let text = arguments.to_string();
    let values: Map<String, Value> = serde_json::from_str(&text).unwrap();
    let text: &RawValue = serde_json::from_str(&text).unwrap();
    template.text(&BindingData::of_arguments(&values, text)).map_err(|error| error.to_string())
}

#[test]
fn each_kind_of_function_has_its_own_root() {
    let arguments = json!({"name": "a", "other": "b/c"});
    for (root, template) in [
        (Root::Tool, "{mcptoolargs.name}/{McpToolArgs.other:path}"),
        (Root::Resource, "{mcpresourceargs.name}/{MCPResourceArgs.OTHER:path}"),
        (Root::Resource, "{name}/{other:path}"),
        (Root::Resource, "{Name}/{other:path}"),
        (Root::Prompt, "{mcppromptargs.name}/{mcppromptargs.other:path}"),
    ] {
        assert_eq!(fill_of(root, template, &arguments), Ok(Some("a/b/c".to_owned())), "{template}");
    }
    assert_eq!(fill_of(Root::Resource, "{{name}}", &arguments), Ok(Some("{name}".to_owned())));
}

#[test]
fn the_root_of_another_kind_is_an_error_that_names_the_right_one() {
    let roots = [Root::Tool, Root::Resource, Root::Prompt];
    for root in roots {
        for wrong in roots.into_iter().filter(|wrong| *wrong != root) {
            let template = format!("{{{}.name}}", wrong.as_str());
            let error = fill_of(root, &template, &json!({})).unwrap_err();
            let expected = format!(
                "path `{template}`: `{template}` at position 1 is not for this kind of function (expected `{{{}.NAME}}`)",
                root.as_str()
            );
            assert_eq!(error, expected);
        }
    }
    assert_eq!(
        fill_of(Root::Prompt, "{name}", &json!({})),
        Err("path `{name}`: unknown expression `{name}` at position 1 (did you mean `{mcppromptargs.name}`?)"
            .to_owned())
    );
    assert_eq!(
        fill_of(Root::Resource, "{nam}", &json!({})),
        Err("path `{nam}`: the function has no argument `nam` (did you mean `name`?)".to_owned())
    );
    assert_eq!(
        fill_of(Root::Resource, "{mcpresourceargs}", &json!({})),
        Err("path `{mcpresourceargs}`: `{mcpresourceargs}` at position 1 names no argument (expected `{mcpresourceargs.NAME}`)".to_owned())
    );
}

#[test]
fn hostile_variables_are_refused_like_arguments() {
    for value in ["..", "a/b", "", "a\\b"] {
        for template in ["{name}", "{mcpresourceargs.name}"] {
            let error = fill_of(Root::Resource, template, &json!({"name": value})).unwrap_err();
            assert!(error.starts_with("argument `name` "), "{value:?}: {error}");
        }
    }
}

#[test]
fn all_bindings_of_a_call_agree_on_its_time_and_on_nothing_random() {
    let schema = Schema::any_object();
    let arguments = Map::new();
    let text: &RawValue = serde_json::from_str("{}").unwrap();
    let data = BindingData::of_arguments(&arguments, text);
    let fill = |text: &str| {
        parse(text, Root::Tool, &schema).unwrap().text(&data).unwrap().expect("nothing is missing")
    };
    let first = fill("{DateTime:yyyyMMddHHmmssfffffff}");
    assert_eq!(fill("{sys.utcnow:yyyyMMddHHmmssfffffff}"), first);
    let guids: HashSet<String> = (0..100)
        .map(|_| fill("{rand-guid}{rand-guid}"))
        .flat_map(|two| [two[..36].to_owned(), two[36..].to_owned()])
        .collect();
    assert_eq!(guids.len(), 200);
}
