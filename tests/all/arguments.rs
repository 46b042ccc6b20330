//! Arguments that do not fit the schema: tool errors that name what is wrong, before any guest starts.

use serde_json::{Value, json};

use crate::harness::Host;

#[tokio::test]
async fn missing_arguments_are_named_in_azures_sentence() {
    let host = Host::start(&["snippets"]).await;
    let error = host.call_error("save_snippet", json!({})).await;
    assert_eq!(
        error,
        "One or more required tool properties are missing values. Please provide: snippetname, snippet"
    );
}

#[tokio::test]
async fn a_null_argument_that_is_required_is_missing() {
    let host = Host::start(&["snippets"]).await;
    let error =
        host.call_error("save_snippet", json!({ "snippetname": null, "snippet": "x" })).await;
    assert_eq!(
        error,
        "One or more required tool properties are missing values. Please provide: snippetname"
    );
}

#[tokio::test]
async fn a_call_without_arguments_is_a_call_with_none() {
    let host = Host::start(&["snippets"]).await;
    let response = host.post_modern("tools/call", json!({ "name": "save_snippet" })).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.body["result"]["isError"], true);
}

#[tokio::test]
async fn a_wrong_type_is_named_with_its_path() {
    let host = Host::start(&["snippets"]).await;
    let error = host.call_error("save_snippet", json!({ "snippetname": "a", "snippet": 5 })).await;
    assert_eq!(error, "/snippet: expected string, got number");
}

#[tokio::test]
async fn missing_and_wrong_arguments_are_told_together() {
    let host = Host::start(&["snippets"]).await;
    let error = host.call_error("save_snippet", json!({ "snippet": [] })).await;
    assert_eq!(
        error,
        "One or more required tool properties are missing values. Please provide: snippetname\n\
         /snippet: expected string, got array"
    );
}

#[tokio::test]
async fn a_million_wrong_items_are_told_in_a_moment_and_a_few_lines() {
    let host = Host::start(&["typed"]).await;
    let items = vec![1; 1_000_000];
    let started = std::time::Instant::now();
    let error = host.call_error("takes_constrained", json!({ "percent": 1, "names": items })).await;
    assert!(started.elapsed().as_secs() < 10, "it took {:?}", started.elapsed());
    assert!(error.lines().count() <= 21, "{} lines", error.lines().count());
    let items = vec![1; 1000];
    let error = host.call_error("takes_constrained", json!({ "percent": 1, "names": items })).await;
    assert!(error.lines().count() <= 21, "{error}");
    assert!(error.contains("and "), "{error}");
}

#[tokio::test]
async fn a_schema_that_takes_for_ever_holds_up_no_other_call() {
    let host = Host::start(&["own_schema", "echo"]).await;
    assert_eq!(host.call_text("takes_for_ever", json!({ "a": { "a": {} } })).await, "checked");
    let mut deep = json!({ "a": 1, "b": 2 });
    for _ in 0..14 {
        deep = json!({ "a": deep });
    }
    let slow = || host.call_error("takes_for_ever", deep.clone());
    let slow = async { tokio::join!(slow(), slow(), slow(), slow()) };
    let ((first, ..), ()) = tokio::join!(slow, async {
        for _ in 0..100 {
            assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
        }
    });
    assert_eq!(first, "/: takes too long to be checked against their schema");
}

#[tokio::test]
async fn an_argument_that_comes_twice_is_refused() {
    let host = Host::start(&["echo"]).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a","text":"b"}}}"#;
    let response = host.post(&[("MCP-Protocol-Version", "2025-11-25")], body.as_bytes()).await;
    assert_eq!(response.body["result"]["content"][0]["text"], "/: has an argument twice");
}

#[tokio::test]
async fn a_null_that_may_be_missing_counts_as_missing_at_any_depth() {
    let host = Host::start(&["typed"]).await;
    let place = json!({ "town": "Oslo", "floor": null });
    let order = json!({ "itemName": "tea", "place": place, "email": null });
    let result = host.call("takes_order", order).await;
    assert_eq!(result["structuredContent"]["place"], json!(["Oslo", null]));
    let order = json!({ "itemName": "tea", "place": { "town": null } });
    let error = host.call_error("takes_order", order).await;
    assert_eq!(error, "/place/town: expected string, got null");
}

#[tokio::test]
async fn arguments_that_only_look_like_json_are_a_tool_error() {
    let host = Host::start(&["echo"]).await;
    for text in [r#""\ud800""#, "1e999"] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":{text}}}}}}}"#
        );
        let response = host.post(&[("MCP-Protocol-Version", "2025-11-25")], body.as_bytes()).await;
        assert_eq!(
            (response.status, &response.body["result"]["isError"]),
            (200, &json!(true)),
            "{text}"
        );
    }
}

#[tokio::test]
async fn legacy_clients_get_a_tool_error_too() {
    let host = Host::start(&["snippets"]).await;
    let response =
        host.post_legacy("tools/call", json!({ "name": "save_snippet", "arguments": {} })).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.body["result"]["isError"], true);
    assert!(response.body["error"].is_null());
}

#[tokio::test]
async fn unknown_arguments_pass() {
    let host = Host::start(&["snippets"]).await;
    let saved = host
        .call_text("save_snippet", json!({ "snippetname": "a", "snippet": "x", "more": 1 }))
        .await;
    assert_eq!(saved, "x");
}

#[tokio::test]
async fn unknown_arguments_fail_where_the_schema_forbids_them() {
    let host = Host::start(&["own_schema"]).await;
    let error = host.call_error("own_schema", json!({ "n": 2, "more": 1 })).await;
    assert_eq!(error, "/: has what the schema does not know: `more`");
}

#[tokio::test]
async fn a_schema_that_the_tool_gives_passes_unchanged() {
    let host = Host::start(&["own_schema"]).await;
    let response = host.post_modern("tools/list", json!({})).await;
    let tools = response.body["result"]["tools"].as_array().expect("tools");
    let tool = tools.iter().find(|tool| tool["name"] == "own_schema").expect("the tool");
    assert_eq!(
        tool["inputSchema"].to_string(),
        r#"{"type":"object","properties":{"n":{"type":"integer","multipleOf":2}},"required":["n"],"additionalProperties":false}"#
    );
}

#[tokio::test]
async fn empty_strings_and_zeros_are_not_missing() {
    let host = Host::start(&["echo"]).await;
    assert_eq!(host.call_text("echo", json!({ "text": "" })).await, "");
}

#[tokio::test]
async fn flat_arguments_come_out_as_azures_schema() {
    let host = Host::start(&["snippets"]).await;
    let response = host.post_modern("tools/list", json!({})).await;
    let tools = response.body["result"]["tools"].as_array().expect("tools");
    let tool = tools.iter().find(|tool| tool["name"] == "save_snippet").expect("the tool");
    assert_eq!(
        tool["inputSchema"].to_string(),
        r#"{"type":"object","properties":{"snippetname":{"type":"string","description":"The name of the snippet."},"snippet":{"type":"string","description":"The code snippet."}},"required":["snippetname","snippet"]}"#
    );
}

async fn with_properties(properties: Value) -> Host {
    Host::builder()
        .programs(&["snippets"])
        .host_json(json!({ "version": "2.0", "functions": { "get_snippets": { "bindings": [
            { "type": "mcpToolTrigger", "direction": "in", "name": "context", "description": "From host.json.",
              "toolProperties": properties }
        ] } } }))
        .start()
        .await
}

fn azure_properties() -> Value {
    json!([
        { "propertyName": "snippetname", "propertyType": "string", "description": "Given here.", "isRequired": true },
        { "propertyName": "tags", "propertyType": "string", "isArray": true, "enumValues": ["a", "b"] }
    ])
}

async fn assert_azure_properties(host: &Host) {
    let response = host.post_modern("tools/list", json!({})).await;
    let tools = response.body["result"]["tools"].as_array().expect("tools");
    let tool = tools.iter().find(|tool| tool["name"] == "get_snippets").expect("the tool");
    assert_eq!(tool["description"], "From host.json.");
    assert_eq!(
        tool["inputSchema"].to_string(),
        r#"{"type":"object","properties":{"snippetname":{"type":"string","description":"Given here."},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]},"description":""}},"required":["snippetname"]}"#
    );
    let saved =
        host.call_text("save_snippet", json!({ "snippetname": "k", "snippet": "kept" })).await;
    assert_eq!(saved, "kept");
    assert_eq!(host.call_text("get_snippets", json!({ "snippetname": "k" })).await, "kept");
    let error = host.call_error("get_snippets", json!({ "snippetname": "k", "tags": ["c"] })).await;
    assert_eq!(error, "/tags/0: expected one of `a`, `b`");
}

#[tokio::test]
async fn tool_properties_can_be_given_in_host_json_as_an_array() {
    assert_azure_properties(&with_properties(azure_properties()).await).await;
}

#[tokio::test]
async fn tool_properties_can_be_given_in_host_json_as_a_string() {
    assert_azure_properties(&with_properties(json!(azure_properties().to_string())).await).await;
}
