//! Resources: lists, templates, storage behind them, and what is not there.

use serde_json::{Value, json};

use crate::harness::Host;

async fn with_a_note() -> Host {
    let host = Host::start(&["shared_notes"]).await;
    host.call("keep_note", json!({ "folder": "home", "title": "a b", "text": "milk" })).await;
    host
}

#[tokio::test]
async fn resources_and_templates_are_listed_in_both_eras() {
    let host = Host::start(&["shared_notes"]).await;
    for (legacy, response) in [
        (false, host.post_modern("resources/list", json!({})).await),
        (true, host.post_legacy("resources/list", json!({})).await),
    ] {
        let result = &response.body["result"];
        let listed = json!([{
            "uri": "note://broken/broken",
            "name": "Broken note",
            "description": "A note that nobody can read.",
        }]);
        assert_eq!(result["resources"], listed);
        assert_eq!(result.get("ttlMs").is_none(), legacy, "{result}");
    }
    let response = host.post_modern("resources/templates/list", json!({})).await;
    let template = &response.body["result"]["resourceTemplates"][0];
    assert_eq!(template["uriTemplate"], "note://{folder}/{title}");
    assert_eq!(template["mimeType"], "text/plain");
    let discovered = host.post_modern("server/discover", json!({})).await;
    let capabilities = &discovered.body["result"]["capabilities"];
    assert!(capabilities["resources"].is_object() && capabilities["prompts"].is_object());
    assert_eq!(capabilities["completions"], json!({}));
}

#[tokio::test]
async fn a_resource_is_read_from_the_blob_that_its_uri_names() {
    let host = with_a_note().await;
    let read = json!({ "uri": "note://home/a%20b" });
    let contents =
        json!([{ "uri": "note://home/a%20b", "mimeType": "text/plain", "text": "milk" }]);
    let modern = host.post_modern("resources/read", read.clone()).await;
    assert_eq!(modern.body["result"]["contents"], contents, "{}", modern.text);
    assert_eq!(modern.body["result"]["cacheScope"], "private");
    let legacy = host.post_legacy("resources/read", read).await;
    assert_eq!(legacy.body["result"], json!({ "contents": contents }));
}

#[tokio::test]
async fn what_is_not_there_is_an_error_with_its_uri() {
    let host = Host::start(&["shared_notes"]).await;
    for uri in ["note://home/none", "other://x", "note://a/b/c"] {
        let read = json!({ "uri": uri });
        let modern = host.post_modern("resources/read", read.clone()).await;
        let error = &modern.body["error"];
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32602), &json!(uri)));
        assert_eq!(modern.status, 200);
        let legacy = host.post_legacy("resources/read", read).await;
        let error = &legacy.body["error"];
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32002), &json!(uri)));
    }
}

#[tokio::test]
async fn a_hostile_variable_reads_nothing() {
    let host = with_a_note().await;
    for hostile in ["note://home/..%2Fa", "note://%2E%2E/a", "note://home/%00"] {
        let response = host.post_modern("resources/read", json!({ "uri": hostile })).await;
        let error = &response.body["error"];
        assert_eq!(error["code"], -32602, "{hostile}: {}", response.text);
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("argument `"), "{hostile}: {message}");
    }
}

#[tokio::test]
async fn a_failure_of_the_function_is_an_error_in_its_words() {
    let host = Host::start(&["shared_notes"]).await;
    let read = json!({ "uri": "note://broken/broken" });
    let error = host.post_modern("resources/read", read).await.body["error"].clone();
    assert_eq!((&error["code"], &error["message"]), (&json!(-32603), &json!("the note is torn")));
}

#[tokio::test]
async fn the_header_must_name_the_uri() {
    let host = with_a_note().await;
    let params = json!({
        "uri": "note://home/a%20b",
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params });
    let version = ("MCP-Protocol-Version", "2026-07-28");
    let method = ("Mcp-Method", "resources/read");
    for name in [None, Some("note://home/other")] {
        let mut headers = vec![version, method];
        headers.extend(name.map(|name| ("Mcp-Name", name)));
        let response = host.post(&headers, body.to_string().as_bytes()).await;
        assert_eq!((response.status, &response.body["error"]["code"]), (400, &json!(-32020)));
    }
}

#[tokio::test]
async fn the_commands_show_and_read_resources_and_prompts() {
    let list = Host::builder().programs(&["shared_notes"]).run(&["list"]).await;
    for part in ["RESOURCE", "note://{folder}/{title}", "PROMPT", "language?: string"] {
        assert!(list.stdout.contains(part), "`{part}` is not in:\n{}", list.stdout);
    }
    let list = Host::builder().programs(&["shared_notes"]).run(&["list", "--json"]).await;
    let functions: Value = serde_json::from_str(&list.stdout).expect("JSON");
    assert_eq!(functions[2]["resource"]["uriTemplate"], "note://{folder}/{title}");
    assert_eq!(functions[3]["prompt"]["arguments"][2]["required"], false);
    let unknown = Host::builder().programs(&["shared_notes"]);
    let unknown = unknown.run(&["call", "--resource", "note://home/none"]).await;
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.stderr.contains("there is no such resource"), "{}", unknown.stderr);
}

#[tokio::test]
async fn a_trigger_of_host_json_changes_tools_only() {
    let check = async |bindings: Value, reason: &str| {
        let functions = json!({ "note": { "bindings": [bindings] } });
        let host_json = json!({ "version": "2.0", "functions": functions });
        let builder = Host::builder().programs(&["shared_notes"]).host_json(host_json);
        let finished = builder.run(&["check"]).await;
        assert_eq!(finished.code, Some(2), "{}", finished.stderr);
        assert!(finished.stderr.contains(reason), "{}", finished.stderr);
    };
    check(
        json!({ "type": "mcpToolTrigger", "direction": "in", "toolName": "x" }),
        "/functions/note/bindings/0: the component declares the function as the resource `note://{folder}/{title}`",
    )
    .await;
    check(
        json!({ "type": "mcpResourceTrigger", "direction": "in", "name": "x", "uri": "a:b" }),
        "`mcpResourceTrigger` is declared by the component and cannot be changed here",
    )
    .await;
    check(
        json!({ "type": "blob", "direction": "in", "name": "note", "path": "notes/{mcptoolargs.title}" }),
        "`{mcptoolargs.title}` at position 7 is not for this kind of function (expected `{mcpresourceargs.NAME}`)",
    )
    .await;
}
