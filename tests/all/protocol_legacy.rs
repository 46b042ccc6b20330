//! Revisions 2025-11-25 and before on the wire: a handshake for those who want it, no session for those who lose it.

use serde_json::{Value, json};

use crate::harness::{Host, Response};

async fn post(host: &Host, headers: &[(&str, &str)], method: &str, params: Value) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    host.post(headers, body.as_bytes()).await
}

async fn initialize(host: &Host, version: &str) -> Response {
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
    post(host, &[], "initialize", params).await
}

fn check_error(response: &Response, status: u16, code: i64) {
    assert_eq!(
        (response.status, response.body["error"]["code"].as_i64()),
        (status, Some(code)),
        "{}",
        response.text
    );
}

#[tokio::test]
async fn initialize_echoes_the_revision_that_is_served() {
    let host = Host::start(&["echo"]).await;
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let response = initialize(&host, version).await;
        assert_eq!(response.status, 200);
        assert_eq!(response.body["result"]["protocolVersion"], version);
    }
}

#[tokio::test]
async fn initialize_offers_the_newest_revision_with_a_handshake_for_any_other() {
    let host = Host::start(&["echo"]).await;
    for version in ["2026-07-28", "2024-10-07", "1.0", ""] {
        assert_eq!(
            initialize(&host, version).await.body["result"]["protocolVersion"],
            "2025-11-25",
            "{version}"
        );
    }
}

#[tokio::test]
async fn initialize_announces_what_is_served_and_nothing_else() {
    let host = Host::start(&["echo"]).await;
    let response = initialize(&host, "2025-11-25").await;
    let result = &response.body["result"];
    let list = json!({ "listChanged": true });
    let capabilities = json!({
        "tools": list, "resources": { "subscribe": true, "listChanged": true }, "prompts": list,
        "completions": {}, "logging": {}
    });
    assert_eq!(result["capabilities"], capabilities);
    assert_eq!(result["serverInfo"]["name"], "mcpfn");
    assert!(result["serverInfo"]["version"].is_string());
    assert_eq!(result["resultType"], Value::Null);
}

#[tokio::test]
async fn initialize_hands_out_a_fresh_session_of_visible_ascii() {
    let host = Host::start(&["echo"]).await;
    let first = initialize(&host, "2025-11-25").await;
    let second = initialize(&host, "2025-11-25").await;
    let session = first.header("mcp-session-id").unwrap();
    assert!(session.len() >= 32 && session.bytes().all(|b| b.is_ascii_graphic()), "{session}");
    assert_ne!(first.header("mcp-session-id"), second.header("mcp-session-id"));
}

#[tokio::test]
async fn initialize_without_a_version_is_invalid_params() {
    let host = Host::start(&["echo"]).await;
    for params in [json!({}), json!({ "protocolVersion": 1 }), json!({ "protocolVersion": null })] {
        check_error(&post(&host, &[], "initialize", params).await, 200, -32602);
    }
}

#[tokio::test]
async fn ping_gets_an_empty_result() {
    let host = Host::start(&["echo"]).await;
    let response = host.post_legacy("ping", json!({})).await;
    assert_eq!((response.status, &response.body["result"]), (200, &json!({})));
}

#[tokio::test]
async fn a_list_has_nothing_of_the_modern_wire() {
    let host = Host::start(&["echo"]).await;
    let response = host.post_legacy("tools/list", json!({})).await;
    let result = response.body["result"].as_object().unwrap();
    assert_eq!(result.keys().collect::<Vec<_>>(), ["tools"]);
    assert_eq!(result["tools"][0]["name"], "echo");
}

#[tokio::test]
async fn a_call_has_nothing_of_the_modern_wire() {
    let host = Host::start(&["echo"]).await;
    let response = host
        .post_legacy("tools/call", json!({ "name": "echo", "arguments": { "text": "on" } }))
        .await;
    assert_eq!(response.body["result"], json!({ "content": [{ "type": "text", "text": "on" }] }));
}

#[tokio::test]
async fn clients_without_a_session_or_with_a_lost_one_are_served() {
    let host = Host::start(&["echo"]).await;
    for headers in [&[][..], &[("Mcp-Session-Id", "of-another-host")]] {
        let response = post(&host, headers, "tools/list", json!({})).await;
        assert_eq!(response.body["result"]["tools"][0]["name"], "echo");
        let params = json!({ "name": "show_context", "arguments": {} });
        let response = post(&host, headers, "tools/call", params).await;
        let session = &response.body["result"]["structuredContent"]["session"];
        assert_eq!(*session, Value::Null, "{}", response.text);
    }
}

#[tokio::test]
async fn every_revision_is_taken_in_the_header_and_no_other_is() {
    let host = Host::start(&["echo"]).await;
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let response = post(&host, &[("MCP-Protocol-Version", version)], "ping", json!({})).await;
        assert_eq!(response.status, 200, "{version}");
    }
    for version in ["2024-10-07", "x", ""] {
        let response = post(&host, &[("MCP-Protocol-Version", version)], "ping", json!({})).await;
        check_error(&response, 400, -32022);
    }
}

#[tokio::test]
async fn unknown_methods_are_not_found_and_still_answered_with_200() {
    let host = Host::start(&["echo"]).await;
    for method in ["resources/copy", "roots/list", "server/discover", "x"] {
        check_error(&host.post_legacy(method, json!({})).await, 200, -32601);
    }
}

#[tokio::test]
async fn tool_call_with_unknown_name_is_invalid_params() {
    let host = Host::start(&["echo"]).await;
    let response = host.post_legacy("tools/call", json!({ "name": "x", "arguments": {} })).await;
    check_error(&response, 200, -32602);
    assert_eq!(response.body["error"]["message"], "Unknown tool: 'x'");
}

#[tokio::test]
async fn notifications_and_responses_are_accepted() {
    let host = Host::start(&["echo"]).await;
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unheard-of"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        let response = host.post(&[("MCP-Protocol-Version", "2025-11-25")], body.as_bytes()).await;
        assert_eq!((response.status, response.text.as_str()), (202, ""), "{body}");
    }
}

#[tokio::test]
async fn there_is_no_stream_to_open_and_no_session_to_end() {
    let host = Host::start(&["echo"]).await;
    for (method, allowed) in [("GET", "POST"), ("DELETE", "GET, POST"), ("PUT", "GET, POST")] {
        let head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        );
        let response = host.raw(head.as_bytes()).await;
        assert_eq!((response.status, response.header("allow")), (405, Some(allowed)), "{method}");
    }
}
