//! Revision 2026-07-28 on the wire: what every request must say, and what every answer says.

use serde_json::{Value, json};

use crate::harness::{Host, Response};

const VERSION: (&str, &str) = ("MCP-Protocol-Version", "2026-07-28");

/// `_meta` with all that it must have.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn request(method: &str, params: Value) -> Vec<u8> {
    json!({ "jsonrpc": "2.0", "id": "r-1", "method": method, "params": params })
        .to_string()
        .into_bytes()
}

async fn call_echo(host: &Host, headers: &[(&str, &str)]) -> Response {
    let params = json!({ "name": "echo", "arguments": { "text": "on" }, "_meta": meta() });
    let headers = [&[VERSION], headers].concat();
    host.post(&headers, &request("tools/call", params)).await
}

fn check_error(response: &Response, status: u16, code: i64) {
    assert_eq!(
        (response.status, response.body["error"]["code"].as_i64()),
        (status, Some(code)),
        "{}",
        response.text
    );
    assert!(response.body["error"]["message"].is_string(), "{}", response.text);
    assert_eq!(response.body["jsonrpc"], "2.0");
}

#[tokio::test]
async fn discover_names_every_revision_and_the_server() {
    let host = Host::start(&["echo"]).await;
    let response = host.post_modern("server/discover", json!({})).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), Some("application/json"));
    let result = &response.body["result"];
    let versions = json!(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    assert_eq!(result["supportedVersions"], versions);
    assert_eq!(result["resultType"], "complete");
    let list = json!({ "listChanged": true });
    let capabilities = json!({
        "tools": list, "resources": { "subscribe": true, "listChanged": true }, "prompts": list,
        "completions": {}, "logging": {}
    });
    assert_eq!(result["capabilities"], capabilities);
    assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string(), "{result}");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "mcpfn");
}

#[tokio::test]
async fn discover_gives_the_instructions_of_host_json() {
    let settings =
        json!({ "serverName": "Snippets", "serverVersion": "3.1", "instructions": "Save." });
    let host_json = json!({ "version": "2.0", "extensions": { "mcp": settings } });
    let host = Host::builder().programs(&["echo"]).host_json(host_json).start().await;
    let response = host.post_modern("server/discover", json!({})).await;
    let result = &response.body["result"];
    assert_eq!(result["instructions"], "Save.");
    let info = json!({ "name": "Snippets", "version": "3.1" });
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"], info);
}

#[tokio::test]
async fn a_list_is_complete_may_be_cached_and_is_the_same_every_time() {
    let host = Host::start(&["echo"]).await;
    let response = host.post_modern("tools/list", json!({})).await;
    let result = &response.body["result"];
    assert_eq!(result["resultType"], "complete");
    assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string(), "{result}");
    let names: Vec<&str> = result["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["echo", "show_context"]);
    assert_eq!(result["tools"][0]["inputSchema"]["type"], "object");
    assert_eq!(host.post_modern("tools/list", json!({})).await.text, response.text);
}

#[tokio::test]
async fn a_cursor_that_was_never_given_is_invalid_params() {
    let host = Host::start(&["echo"]).await;
    for cursor in ["", "page-2"] {
        check_error(
            &host.post_modern("tools/list", json!({ "cursor": cursor })).await,
            200,
            -32602,
        );
    }
}

#[tokio::test]
async fn a_call_answers_with_the_id_and_who_answers() {
    let host = Host::start(&["echo"]).await;
    let response = call_echo(&host, &[("Mcp-Method", "tools/call"), ("Mcp-Name", "echo")]).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.body["id"], "r-1");
    let result = &response.body["result"];
    assert_eq!(result["content"], json!([{ "type": "text", "text": "on" }]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "mcpfn");
    assert_eq!(result["isError"], Value::Null);
}

#[tokio::test]
async fn azures_path_serves_the_same() {
    let host = Host::start(&["echo"]).await;
    let body = request("tools/list", json!({ "_meta": meta() }));
    for path in ["/runtime/webhooks/mcp", "/runtime/webhooks/mcp/", "/mcp/"] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n\r\n",
            body.len()
        );
        let response = host.raw(&[head.as_bytes(), &body].concat()).await;
        assert_eq!(response.body["result"]["tools"][0]["name"], "echo", "{path}");
    }
}

#[tokio::test]
async fn tool_call_with_unknown_name_is_invalid_params() {
    let host = Host::start(&["echo"]).await;
    let response = host.post_modern("tools/call", json!({ "name": "x", "arguments": {} })).await;
    check_error(&response, 200, -32602);
    assert_eq!(response.body["error"]["message"], "Unknown tool: 'x'");
}

#[tokio::test]
async fn a_tool_is_found_whatever_the_case_of_its_name() {
    let host = Host::start(&["echo"]).await;
    assert_eq!(host.call_text("ECHO", json!({ "text": "on" })).await, "on");
}

#[tokio::test]
async fn arguments_that_are_no_object_are_invalid_params() {
    let host = Host::start(&["echo"]).await;
    for arguments in [json!([]), json!("x"), json!(1)] {
        let response =
            host.post_modern("tools/call", json!({ "name": "echo", "arguments": arguments })).await;
        check_error(&response, 200, -32602);
    }
}

#[tokio::test]
async fn absent_and_null_arguments_are_an_empty_object() {
    let host = Host::start(&["echo"]).await;
    for params in
        [json!({ "name": "show_context" }), json!({ "name": "show_context", "arguments": null })]
    {
        let response = host.post_modern("tools/call", params).await;
        assert_eq!(
            response.body["result"]["structuredContent"]["arguments"],
            json!({}),
            "{}",
            response.text
        );
    }
}

#[tokio::test]
async fn a_name_that_is_no_string_is_invalid_params() {
    let host = Host::start(&["echo"]).await;
    for params in [json!({}), json!({ "name": 1 }), json!({ "name": null })] {
        check_error(&host.post_modern("tools/call", params).await, 200, -32602);
    }
}

#[tokio::test]
async fn methods_of_the_past_and_unknown_ones_are_not_found() {
    let host = Host::start(&["echo"]).await;
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "roots/list",
        "Tools/List",
        "x",
    ] {
        check_error(&host.post_modern(method, json!({})).await, 404, -32601);
    }
}

#[tokio::test]
async fn a_request_must_say_all_about_itself() {
    let host = Host::start(&["echo"]).await;
    let headers = [VERSION, ("Mcp-Method", "server/discover")];
    let version = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    let capabilities = json!({ "io.modelcontextprotocol/clientCapabilities": {} });
    let wrong = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": [],
    });
    let number = json!({ "io.modelcontextprotocol/protocolVersion": 2026 });
    for meta in
        [Value::Null, json!({}), json!([]), json!("x"), version, capabilities, wrong, number]
    {
        let response =
            host.post(&headers, &request("server/discover", json!({ "_meta": meta }))).await;
        check_error(&response, 400, -32602);
        assert_eq!(response.body["id"], "r-1");
    }
    check_error(
        &host.post(&headers, br#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#).await,
        400,
        -32602,
    );
}

#[tokio::test]
async fn a_version_that_is_not_served_is_answered_with_those_that_are() {
    let host = Host::start(&["echo"]).await;
    let mut meta = meta();
    meta["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    let body = request("server/discover", json!({ "_meta": meta }));
    let headers = [("MCP-Protocol-Version", "1900-01-01"), ("Mcp-Method", "server/discover")];
    let response = host.post(&headers, &body).await;
    check_error(&response, 400, -32022);
    assert_eq!(response.body["error"]["data"]["requested"], "1900-01-01");
    assert_eq!(response.body["error"]["data"]["supported"][0], "2026-07-28");
}

#[tokio::test]
async fn the_version_header_must_say_what_the_body_says() {
    let host = Host::start(&["echo"]).await;
    let body = request("tools/list", json!({ "_meta": meta() }));
    let method = ("Mcp-Method", "tools/list");
    check_error(&host.post(&[method], &body).await, 400, -32020);
    check_error(
        &host.post(&[method, ("MCP-Protocol-Version", "2025-11-25")], &body).await,
        400,
        -32020,
    );
    check_error(&host.post(&[method, VERSION, VERSION], &body).await, 400, -32020);
}

#[tokio::test]
async fn the_method_header_must_say_what_the_body_says() {
    let host = Host::start(&["echo"]).await;
    let body = request("tools/list", json!({ "_meta": meta() }));
    check_error(&host.post(&[VERSION], &body).await, 400, -32020);
    for method in ["prompts/list", "TOOLS/LIST", "", "tools/li\u{e9}st"] {
        check_error(&host.post(&[VERSION, ("Mcp-Method", method)], &body).await, 400, -32020);
    }
    for header in ["mcp-method", "MCP-METHOD"] {
        assert_eq!(
            host.post(&[VERSION, (header, "  tools/list  ")], &body).await.status,
            200,
            "{header}"
        );
    }
}

#[tokio::test]
async fn the_name_header_must_say_what_the_body_says() {
    let host = Host::start(&["echo"]).await;
    let method = ("Mcp-Method", "tools/call");
    check_error(&call_echo(&host, &[method]).await, 400, -32020);
    for name in
        ["show_context", "Echo", "", "=?base64?ZWNobw?=", "=?base64?!!!!?=", "=?base64?ZWNob3g=?="]
    {
        check_error(&call_echo(&host, &[method, ("Mcp-Name", name)]).await, 400, -32020);
    }
    for name in ["echo", " echo ", "=?base64?ZWNobw==?="] {
        let response = call_echo(&host, &[method, ("Mcp-Name", name)]).await;
        assert_eq!(response.status, 200, "{}", response.text);
    }
}

#[tokio::test]
async fn a_notification_is_accepted_and_a_response_is_not() {
    let host = Host::start(&["echo"]).await;
    let response =
        host.post(&[VERSION], br#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#).await;
    assert_eq!((response.status, response.text.as_str()), (202, ""));
    let response = host.post(&[VERSION], br#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
    check_error(&response, 400, -32600);
}

#[tokio::test]
async fn sessions_are_of_the_past() {
    let host = Host::start(&["echo"]).await;
    let params = json!({ "name": "show_context", "arguments": {}, "_meta": meta() });
    let headers = [
        VERSION,
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "show_context"),
        ("Mcp-Session-Id", "s"),
    ];
    let response = host.post(&headers, &request("tools/call", params)).await;
    assert_eq!(response.header("mcp-session-id"), None);
    assert_eq!(response.body["result"]["structuredContent"]["session"], Value::Null);
}

#[tokio::test]
async fn a_function_sees_the_client_its_headers_and_no_secret() {
    let host = Host::start(&["echo"]).await;
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "7" });
    meta["traceparent"] = json!("00-1-2-3");
    let params = json!({ "name": "show_context", "arguments": {}, "_meta": meta });
    let headers = [
        VERSION,
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "show_context"),
        ("X-Test", "a"),
        ("x-test", "b"),
        ("X-Unlisted", "c"),
        ("Authorization", "Bearer secret"),
    ];
    let response = host.post(&headers, &request("tools/call", params)).await;
    let context = &response.body["result"]["structuredContent"];
    assert_eq!(context["transport"], "http");
    assert_eq!(context["client"], json!({ "name": "test", "version": "7" }));
    assert_eq!(context["header"], "a,b");
    assert!(response.text.contains("00-1-2-3"), "{}", response.text);
    assert_eq!(context["unlistedHeader"], Value::Null);
    assert_eq!(context["authorization"], Value::Null);
    assert!(!response.text.contains("secret"), "{}", response.text);
}
