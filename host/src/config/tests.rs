//! What host.json may say and what the answer is to everything else, through [`Config::load`].

mod limits;

use std::{fs, time::Duration};

use tempfile::TempDir;

use super::{Config, Environment, SCHEMA};
use crate::function::{Direction, PropertyKind};

/// The host.json of the design.
const DESIGN: &str = r#"{
  "version": "2.0",
  "functionTimeout": "00:00:30",
  "extensions": {
    "mcp": {
      "serverName": "Snippets", "serverVersion": "1.0.0",
      "instructions": "Save and find code snippets.",
      "system": { "webhookAuthorizationLevel": "System" }
    }
  },
  "connections": { "AzureWebJobsStorage": { "url": "file:./.mcpfn/storage" } },
  "functions": {
    "save_snippet": { "bindings": [
      { "type": "blob", "direction": "out", "name": "$return", "path": "snippets/{mcptoolargs.snippetname}.json", "connection": "AzureWebJobsStorage" } ] },
    "get_snippets": { "bindings": [
      { "type": "blob", "direction": "in", "name": "snippet", "path": "snippets/{mcptoolargs.snippetname}.json" } ] }
  }
}"#;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn environment(variables: &[(&str, &str)]) -> Environment {
    variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn load_with(files: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Config, String> {
    let folder = folder(files);
    let at = format!("{}/", folder.path().display());
    Config::load(&folder.path().join("host.json"), &environment(variables))
        .map_err(|error| error.to_string().replace(&at, ""))
}

fn load(text: &str) -> Result<Config, String> {
    load_with(&[("host.json", text)], &[])
}

/// The message for a text, without the folder.
#[track_caller]
fn check(text: &str, message: &str) {
    assert_eq!(load(text).map(|_| ()).unwrap_err(), message, "for {text}");
}

/// The message for the members of a host.json whose version is on line 1.
#[track_caller]
fn check_members(members: &str, message: &str) {
    check(&format!("{{\"version\":\"2.0\",\n{members}}}"), &format!("host.json:2: {message}"));
}

/// The message for the members of one binding.
#[track_caller]
fn check_binding(members: &str, message: &str) {
    let members = format!(r#""functions":{{"f":{{"bindings":[{{{members}}}]}}}}"#);
    check_members(&members, &format!("/functions/f/bindings/0{message}"));
}

#[test]
fn the_schema_is_a_schema_and_every_reference_leads_somewhere() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    for reference in SCHEMA.split("\"$ref\": \"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(schema.pointer(pointer).is_some(), "{pointer}");
    }
    let types = schema.pointer("/$defs/toolProperties/items/properties/propertyType/enum").unwrap();
    let known: Vec<_> = PropertyKind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(*types, serde_json::json!(known));
}

#[test]
fn every_default_and_example_of_the_schema_fits_the_schema() {
    fn visit(schema: &serde_json::Value, root: &serde_json::Value) {
        if let Some(members) = schema.as_object() {
            let examples = members
                .get("examples")
                .and_then(|examples| examples.as_array())
                .into_iter()
                .flatten();
            let mut alone = schema.clone();
            alone.as_object_mut().unwrap().insert("$defs".to_owned(), root["$defs"].clone());
            if members.contains_key("type") || members.contains_key("const") {
                for value in
                    examples.chain(members.get("default").filter(|value| !value.is_object()))
                {
                    jsonschema::validate(&alone, value).unwrap();
                }
            }
            members.values().for_each(|member| visit(member, root));
        }
    }
    let schema = serde_json::from_str(SCHEMA).unwrap();
    visit(&schema, &schema);
}

#[test]
fn an_empty_host_json_has_the_defaults_of_the_schema() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    let default = |pointer: &str| schema.pointer(&format!("{pointer}/default")).unwrap();
    let mib = |pointer: &str| usize::try_from(default(pointer).as_u64().unwrap()).unwrap() << 20;
    let empty = load(r#"{"version":"2.0"}"#).unwrap();
    assert_eq!(empty.limits.memory, mib("/$defs/limits/properties/memoryMiB"));
    assert_eq!(empty.max_body, mib("/properties/bodyLimitMiB"));
    assert_eq!(empty.server.name, *default("/$defs/mcp/properties/serverName"));
    assert_eq!(empty.server.version, *default("/$defs/mcp/properties/serverVersion"));
    assert_eq!(
        serde_json::json!(empty.server.instructions),
        *default("/$defs/mcp/properties/instructions")
    );
    // What is written out with the defaults of the schema is what nothing written comes to.
    let defaults = |pointer: &str| {
        let properties = schema.pointer(pointer).unwrap()["properties"].as_object().unwrap();
        let given = properties.iter().filter_map(|(key, value)| {
            let root = value.get("$ref").and_then(|place| schema.pointer(&place.as_str()?[1..]));
            Some((key.clone(), root.unwrap_or(value).get("default")?.clone()))
        });
        serde_json::Value::Object(given.collect())
    };
    let mut written = serde_json::json!({
        "version": "2.0",
        "limits": defaults("/$defs/limits"),
        "engine": defaults("/properties/engine"),
        "functions": { "f": { "warm": {} }, "g": { "warm": defaults("/$defs/warm") } },
    });
    for key in ["functionTimeout", "maxQueue"] {
        written[key] = default(&format!("/$defs/{key}")).clone();
    }
    let written = load(&written.to_string()).unwrap();
    assert_eq!(empty.limits, written.limits);
    assert_eq!(empty.concurrency, written.concurrency);
    assert_eq!(empty.engine, written.engine);
    assert_eq!(written.functions[0].warm, written.functions[1].warm);
}

#[test]
fn the_host_json_of_the_design_is_read_whole() {
    let config = load(DESIGN).unwrap();
    assert_eq!(config.server.name, "Snippets");
    assert_eq!(config.server.instructions.as_deref(), Some("Save and find code snippets."));
    assert_eq!(config.limits.time, Some(Duration::from_secs(30)));
    assert_eq!((config.limits.memory, config.max_body), (64 << 20, 4 << 20));
    assert_eq!(config.connections[0].url, "file:./.mcpfn/storage");
    assert!(config.notices.is_empty(), "{:?}", config.notices);
    let [save, get] = &config.functions[..] else { panic!("{:?}", config.functions) };
    assert_eq!(save.pointer, "/functions/save_snippet");
    assert_eq!(
        (save.bindings[0].kind.as_str(), save.bindings[0].direction),
        ("blob", Direction::Output)
    );
    assert_eq!((save.bindings[0].name.as_str(), save.bindings[0].config.len()), ("$return", 2));
    assert_eq!(get.bindings_at, ["/functions/get_snippets/bindings/0"]);
    let error =
        config.invalid("/functions/get_snippets/bindings/0/path", "no such argument".to_owned());
    assert!(
        error
            .to_string()
            .ends_with("host.json:16: /functions/get_snippets/bindings/0/path: no such argument")
    );
}

#[test]
fn a_folder_without_host_json_has_defaults_and_a_notice() {
    let folder = folder(&[]);
    let config = Config::load_default(folder.path(), &environment(&[])).unwrap();
    assert_eq!((config.server.name.as_str(), config.server.version.as_str()), ("mcpfn", "1.0.0"));
    assert_eq!(config.limits.time, Some(Duration::from_secs(30)));
    assert_eq!(config.root, folder.path());
    assert_eq!(config.notices.len(), 1);
}

#[test]
fn a_host_json_that_was_named_has_to_be_there() {
    let error = load_with(&[], &[]).map(|_| ()).unwrap_err();
    assert!(error.starts_with("host.json: cannot be read: "), "{error}");
}

#[test]
fn text_that_is_not_json_is_an_error_with_line_and_column() {
    check("{\n  \"version\": \"2.0\",\n}", "host.json:3:1: not JSON: trailing comma");
    check("{\"version\": \"2.0\"", "host.json:1:17: not JSON: EOF while parsing an object");
    check(
        "{\"version\": \"2.0\"\n \"functions\": {}}",
        "host.json:2:2: not JSON: expected `,` or `}`",
    );
    check("// comment\n{}", "host.json:1:1: not JSON: expected value");
    check("", "host.json:1:0: not JSON: EOF while parsing a value");
    check("{} {}", "host.json:1:4: not JSON: trailing characters");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    load("\u{feff}{\"version\": \"2.0\"}").unwrap();
}

#[test]
fn unknown_keys_are_errors_with_the_nearest_known_key() {
    check_members(r#""conections":{}"#, "/conections: unknown key (did you mean `connections`?)");
    check_members(
        r#""xyzzy":{}"#,
        "/xyzzy: unknown key (expected `$schema`, `version`, `functionTimeout`, `limits`, `maxConcurrency`, \
         `maxQueue`, `engine`, `bodyLimitMiB`, `extensions`, `connections`, `functions`)",
    );
    check_members(
        r#""extensions":{"mpc":{}}"#,
        "/extensions/mpc: unknown key (did you mean `mcp`?)",
    );
    check_members(
        r#""extensions":{"mcp":{"serverNam":"x"}}"#,
        "/extensions/mcp/serverNam: unknown key (did you mean `serverName`?)",
    );
    check_members(
        r#""connections":{"A":{"ulr":"memory:"}}"#,
        "/connections/A/ulr: unknown key (did you mean `url`?)",
    );
    check_members(
        r#""functions":{"f":{"binding":[]}}"#,
        "/functions/f/binding: unknown key (did you mean `bindings`?)",
    );
    check_members(
        r#""functions":{"a/b~c":{"x":1}}"#,
        "/functions/a~1b~0c/x: unknown key (expected `bindings`, `functionTimeout`, `limits`, `maxConcurrency`, \
         `maxQueue`, `warm`, `containers`)",
    );
    check_binding(
        r#""type":"blob","direction":"in","name":"a","pathh":"a/b""#,
        "/pathh: unknown key (did you mean `path`?)",
    );
    check_binding(
        r#""type":"mcpToolTrigger","tolName":"a""#,
        "/tolName: unknown key (did you mean `toolName`?)",
    );
    check_binding(
        r#""type":"mcpToolTrigger","toolProperties":[{"propertyNam":"a"}]"#,
        "/toolProperties/0/propertyNam: unknown key (did you mean `propertyName`?)",
    );
}

#[test]
fn values_of_the_wrong_kind_are_errors_that_say_what_is_expected() {
    check("{}", "host.json:1: `version` is missing");
    check("[]", "host.json:1: expected object, got array");
    check(r#"{"version":"1.0"}"#, "host.json:1: /version: expected `2.0`, got `1.0`");
    check(r#"{"version":2.0}"#, "host.json:1: /version: expected `2.0`, got 2.0");
    for bad in [r#""5""#, r#""00:60:00""#, r#""""#, "-1", r#""-2""#, r#""1:00""#] {
        let shown = bad.replace('"', "`");
        check_members(
            &format!("\"functionTimeout\":{bad}"),
            &format!("/functionTimeout: expected `hh:mm:ss`, or `-1` for no limit, got {shown}"),
        );
    }
    check_members(
        r#""functionTimeout":"00:00:00""#,
        "/functionTimeout: expected at least `00:00:01`, got `00:00:00`",
    );
    check_members(
        r#""extensions":{"mcp":{"serverName":5}}"#,
        "/extensions/mcp/serverName: expected a text without control characters, got 5",
    );
    check_members(
        r#""extensions":{"mcp":{"system":{"webhookAuthorizationLevel":"function"}}}"#,
        "/extensions/mcp/system/webhookAuthorizationLevel: expected `System` or `Anonymous`, got `function`",
    );
    check_members(r#""connections":[]"#, "/connections: expected object, got array");
    check_members(r#""connections":{"A":{}}"#, "/connections/A: `url` is missing");
    check_members(r#""functions":"all""#, "/functions: expected array or object, got string");
    check_members(r#""functions":[1]"#, "/functions/0: expected string, got number");
    check_members(
        r#""functions":{"f":{"bindings":{}}}"#,
        "/functions/f/bindings: expected array, got object",
    );
}

#[test]
fn bindings_of_the_wrong_kind_are_errors() {
    check_binding(r#""direction":"in","name":"a""#, ": `type` is missing");
    check_binding(r#""type":"blob","name":"a","path":"a/b""#, ": `direction` is missing");
    check_binding(r#""type":"blob","direction":"in","name":"a""#, ": `path` is missing");
    check_binding(
        r#""type":"blob","direction":"inout","name":"a","path":"a/b""#,
        "/direction: expected one of `in`, `out`, got `inout`",
    );
    check_binding(
        r#""type":"blob","direction":"in","name":"a","path":"a/b","dataType":"text""#,
        "/dataType: expected one of `string`, `binary`, `json`, `stream`, got `text`",
    );
    check_binding(
        r#""type":"mcpToolTriger","direction":"in","name":"a""#,
        "/type: unknown type `mcpToolTriger` (did you mean `mcpToolTrigger`?)",
    );
    check_members(
        r#""functions":{"f":{"bindings":[{"type":"mcpToolTrigger"},{"type":"mcpToolTrigger"}]}}"#,
        "/functions/f/bindings/1: a function has one trigger, and /functions/f/bindings/0 is one",
    );
    check_members(
        r#""functions":{"f":{"bindings":[{"type":"x","direction":"in","name":"a"},{"type":"y","direction":"out","name":"a"}]}}"#,
        "/functions/f/bindings/1/name: `a` is declared by /functions/f/bindings/0 already",
    );
}

#[test]
fn every_key_of_a_blob_is_taken() {
    let config = load(
        r#"{"version":"2.0","functions":{"f":{"bindings":[
            {"type":"blob","direction":"in","name":"a","path":"a/","operation":"list","maxItems":5000,"after":"b"},
            {"type":"blob","direction":"in","name":"b","path":"a/b","dataType":"stream","maxBytes":1073741824},
            {"type":"blob","direction":"out","name":"c","path":"a/b","contentType":"a/b","metadata":{"by":"x"},
             "overwrite":false,"ifNoneMatch":"*","IfMatch":"b"}]}}}"#,
    )
    .unwrap();
    let [_, _, output] = config.functions[0].bindings.as_slice() else { panic!("there are three") };
    assert_eq!(output.config["ifMatch"], "b");
    assert_eq!(output.config["metadata"]["by"], "x");
}

#[test]
fn errors_name_the_line_they_are_on() {
    let text = DESIGN.replace(
        "\"path\": \"snippets/{mcptoolargs.snippetname}.json\" }",
        "\n\n\"pathh\": \"a\" }",
    );
    check(
        &text,
        "host.json:18: /functions/get_snippets/bindings/0/pathh: unknown key (did you mean `path`?)",
    );
}

#[test]
fn the_first_mistake_in_the_text_is_the_error() {
    check(
        "{\n\"version\":\"1.0\",\n\"bodyLimitMiB\":0\n}",
        "host.json:2: /version: expected `2.0`, got `1.0`",
    );
}

#[test]
fn keys_of_azure_are_read_in_any_case() {
    let config = load(
        r#"{"version":"2.0","FunctionTimeout":"01:00:00","extensions":{"MCP":{"ServerName":"a","SYSTEM":{"webhookauthorizationlevel":"anonymous"}}},
            "functions":{"f":{"Bindings":[{"Type":"blob","Direction":"in","Name":"a","Path":"a/b"}]}}}"#,
    )
    .unwrap();
    assert_eq!(config.server.name, "a");
    assert_eq!(config.limits.time, Some(Duration::from_hours(1)));
    assert_eq!(config.functions[0].bindings[0].config["path"], "a/b");
}

#[test]
fn names_that_differ_only_by_case_are_errors() {
    check_members(
        r#""functions":{"save":{},"Save":{}}"#,
        "/functions/Save: `save` is given twice (names must differ by more than case)",
    );
    check_members(
        r#""connections":{"A":{"url":"memory:"},"a":{"url":"memory:"}}"#,
        "/connections/a: `A` is given twice (names must differ by more than case)",
    );
    check_members(
        r#""extensions":{},"Extensions":{}"#,
        "/extensions: `extensions` is given twice (names must differ by more than case)",
    );
}

#[test]
fn what_asks_or_denies_needs_the_gate() {
    let message = "needs the gate, which this version does not have";
    check_members(r#""gate":{"default":"ask"}"#, &format!("/gate: {message}"));
    check_members(
        r#""functions":{"f":{"permission":"ask"}}"#,
        &format!("/functions/f/permission: {message}"),
    );
}

#[test]
fn keys_of_azures_trigger_that_are_not_served_are_errors_that_say_so() {
    for key in
        ["inputSchema", "useWorkerInputSchema", "outputSchema", "useResultSchema", "METADATA"]
    {
        let known = if key == "METADATA" { "metadata" } else { key };
        check_binding(
            &format!(r#""type":"mcpToolTrigger","{key}":null"#),
            &format!(
                "/{known}: not supported here: the component declares it (arguments may be given as `toolProperties`)"
            ),
        );
    }
    check_binding(
        r#""type":"mcpToolTrigger","xyzzy":null"#,
        "/xyzzy: unknown key (expected `type`, `direction`, `name`, `toolName`, `description`, `toolProperties`)",
    );
}

#[test]
fn names_of_tools_that_clients_may_refuse_are_errors() {
    let expected = "expected 1 to 64 of `A` to `Z`, `a` to `z`, `0` to `9`, `_`, `-`, `.` and `/`";
    let long = "x".repeat(65);
    for (name, got) in
        [("", "``"), ("save snippet", "`save snippet`"), ("é", "`é`"), (&long, "string")]
    {
        check_binding(
            &format!(r#""type":"mcpToolTrigger","toolName":"{name}""#),
            &format!("/toolName: {expected}, got {got}"),
        );
    }
    for name in ["a", "a/b_c-d.e", &long[1..]] {
        load(&format!(
            r#"{{"version":"2.0","functions":{{"f":{{"bindings":[{{"type":"mcpToolTrigger","toolName":"{name}"}}]}}}}}}"#
        ))
        .unwrap();
    }
}

#[test]
fn a_real_host_json_of_azure_starts_with_one_notice_for_each_key() {
    let config = load(
        r#"{"version":"2.0","$schema":"https://json.schemastore.org/host.json",
            "logging":{"applicationInsights":{"samplingSettings":{"isEnabled":true,"excludedTypes":"Request"}}},
            "extensionBundle":{"id":"Microsoft.Azure.Functions.ExtensionBundle","version":"[4.0.0, 5.0.0)"},
            "concurrency":{"dynamicConcurrencyEnabled":true},
            "extensions":{"http":{"routePrefix":"api"},"mcp":{"encryptClientState":true,
            "messageOptions":{"useAbsoluteUriForEndpoint":false}}}}"#,
    )
    .unwrap();
    let keys: Vec<_> =
        config.notices.iter().map(|notice| notice.split(": ").nth(1).unwrap()).collect();
    assert_eq!(
        keys,
        [
            "/logging has no meaning here",
            "/extensionBundle has no meaning here",
            "/concurrency has no meaning here",
            "/extensions/http has no meaning here",
            "/extensions/mcp/encryptClientState has no meaning here",
            "/extensions/mcp/messageOptions has no meaning here",
        ]
    );
}

#[test]
fn timeouts_are_read_as_azure_reads_them() {
    for (text, seconds) in [
        ("00:00:01", Some(1)),
        ("1:02:03", Some(3_723)),
        ("1.00:00:00", Some(86_400)),
        ("-1", None),
    ] {
        let config = load(&format!(r#"{{"version":"2.0","functionTimeout":"{text}"}}"#)).unwrap();
        assert_eq!(config.limits.time, seconds.map(Duration::from_secs), "{text}");
    }
}

#[test]
fn functions_as_an_array_are_a_filter() {
    let config = load(r#"{"version":"2.0","functions":["a","b"]}"#).unwrap();
    assert_eq!(config.filter.unwrap(), ["a", "b"]);
    assert!(config.functions.is_empty());
}

#[test]
fn tool_properties_are_an_array_or_a_string_that_holds_one() {
    let array = r#"[{"propertyName":"a","propertyType":"string","description":"An a.","isRequired":true},
        {"PropertyName":"b","propertytype":"integer","isArray":true,"enumValues":["1"],"description":null}]"#;
    let string = serde_json::to_string(array).unwrap();
    for properties in [array, &string] {
        let config = load(&format!(
            r#"{{"version":"2.0","functions":{{"f":{{"bindings":[{{"type":"mcpToolTrigger","direction":"in",
               "name":"context","toolName":"t","description":"d","toolProperties":{properties}}}]}}}}}}"#
        ))
        .unwrap();
        let function = &config.functions[0];
        assert_eq!(
            (function.tool_name.as_deref(), function.description.as_deref()),
            (Some("t"), Some("d"))
        );
        assert!(function.bindings.is_empty());
        let [a, b] = &function.properties.as_ref().unwrap()[..] else { panic!() };
        assert_eq!(
            (a.name.as_str(), a.kind, a.required, a.array),
            ("a", PropertyKind::String, true, false)
        );
        assert_eq!(a.description.as_deref(), Some("An a."));
        assert_eq!(
            (b.name.as_str(), b.kind, b.required, b.array),
            ("b", PropertyKind::Integer, false, true)
        );
        assert_eq!(b.enum_values, ["1"]);
    }
}

#[test]
fn tool_properties_that_cannot_be_read_are_errors() {
    let check = |properties: &str, message: &str| {
        check_binding(
            &format!(r#""type":"mcpToolTrigger","toolProperties":{properties}"#),
            message,
        );
    };
    check("5", "/toolProperties: expected string or array, got number");
    check(r#""{}""#, "/toolProperties: expected a string that holds a JSON array");
    check(
        r#""[,]""#,
        "/toolProperties: the string is not JSON: expected value at line 1 column 2 of it",
    );
    check(r#"[{"propertyName":"a"}]"#, "/toolProperties/0: `propertyType` is missing");
    check(
        r#"[{"propertyName":"a","propertyType":"date"}]"#,
        "/toolProperties/0/propertyType: expected one of `string`, `number`, `integer`, `boolean`, `object`, got `date`",
    );
    check(
        r#""[{\"propertyName\":\" \",\"propertyType\":\"string\"}]""#,
        "/toolProperties/0/propertyName: expected a name, got ` `",
    );
    check(
        r#"[{"propertyName":"a","propertyType":"string","isRequired":"yes"}]"#,
        "/toolProperties/0/isRequired: expected boolean, got string",
    );
}

#[test]
fn the_environment_wins_over_local_settings_with_a_notice_that_names_the_key_only() {
    let local =
        r#"{"IsEncrypted":false,"Values":{"A":"file-a","B":"file-b","N":5},"Host":{"CORS":"*"}}"#;
    let config = load_with(
        &[("host.json", r#"{"version":"2.0"}"#), ("local.settings.json", local)],
        &[("A", "environment-a"), ("C", "environment-c"), ("B", "")],
    )
    .unwrap();
    let settings = &config.settings;
    assert_eq!(settings.get("A"), Some("environment-a"));
    assert_eq!((settings.get("B"), settings.get("C")), (Some("file-b"), Some("environment-c")));
    assert_eq!((settings.get("N"), settings.get("a")), (Some("5"), None));
    assert_eq!(config.notices, ["setting `A`: the environment wins over local.settings.json"]);
    let shown = format!("{config:?}");
    assert!(!shown.contains("file-") && !shown.contains("environment-"), "{shown}");
}

#[test]
fn local_settings_that_cannot_be_read_are_errors_that_quote_nothing() {
    let check = |local: &str, message: &str| {
        let files = [("host.json", r#"{"version":"2.0"}"#), ("local.settings.json", local)];
        assert_eq!(load_with(&files, &[]).map(|_| ()).unwrap_err(), message);
    };
    check(
        "{\n\"Values\": secret",
        "local.settings.json:2:11: not JSON: the text breaks off or is misspelled here",
    );
    check(
        r#"{"Values":"secret"}"#,
        "local.settings.json:1:18: expected `IsEncrypted` to be a boolean and `Values` an object",
    );
    check(
        r#"{"Values":{"a/b":["secret"]}}"#,
        "local.settings.json: /Values/a~1b: expected a string",
    );
    check(
        r#"{"IsEncrypted":true,"Values":{}}"#,
        "local.settings.json: /IsEncrypted: encrypted settings cannot be read: run `func settings decrypt`",
    );
}

#[test]
fn the_data_folder_of_the_user_follows_xdg() {
    let data_home = |variables: &[(&str, &str)]| environment(variables).data_home();
    let in_home = Some("/home/a/.local/share".into());
    assert_eq!(data_home(&[("HOME", "/home/a")]), in_home);
    assert_eq!(data_home(&[("HOME", "/home/a"), ("XDG_DATA_HOME", "relative")]), in_home);
    assert_eq!(data_home(&[("HOME", "/home/a"), ("XDG_DATA_HOME", "/d")]), Some("/d".into()));
    assert_eq!(data_home(&[]), None);
}
