//! The same catalog on standard input and output.

use serde_json::{Value, json};

use crate::harness::{Host, Stdio};

fn start(programs: &[&str]) -> Stdio {
    Host::builder().programs(programs).start_stdio()
}

fn legacy(id: Value, method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

fn modern(id: Value, method: &str, mut params: Value) -> String {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    legacy(id, method, params)
}

fn sleep(id: u64, ms: u64) -> String {
    legacy(json!(id), "tools/call", json!({ "name": "sleeps", "arguments": { "ms": ms } }))
}

fn echo(text: &str) -> Value {
    json!({ "name": "echo", "arguments": { "text": text } })
}

#[tokio::test]
async fn a_client_of_2025_shakes_hands_lists_and_calls() {
    let mut host = start(&["echo"]);
    host.send(&legacy(
        json!(0),
        "initialize",
        json!({ "protocolVersion": "2025-06-18", "capabilities": {} }),
    ))
    .await;
    assert_eq!(host.receive().await["result"]["protocolVersion"], "2025-06-18");
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    host.send(&legacy(json!(1), "tools/list", json!({}))).await;
    assert_eq!(host.receive().await["result"]["tools"][0]["name"], "echo");
    host.send(&legacy(json!(2), "tools/call", echo("on"))).await;
    let reply = host.receive().await;
    assert_eq!((&reply["id"], &reply["result"]["content"][0]["text"]), (&json!(2), &json!("on")));
    let (status, rest) = host.close().await;
    assert!(status.success(), "{status}");
    assert!(rest.is_empty(), "{rest:?}");
}

#[tokio::test]
async fn a_log_that_nobody_reads_holds_up_no_call() {
    let mut host = Host::builder().programs(&["shout"]).start_stdio_unread();
    let line = "x".repeat(4000);
    for id in 0..200 {
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
                           "params": { "name": "shouts", "arguments": { "text": line } } });
        host.send(&call.to_string()).await;
        assert_eq!(host.receive().await["id"], id);
    }
}

#[tokio::test]
async fn a_client_of_2026_needs_no_headers() {
    let mut host = start(&["echo"]);
    host.send(&modern(json!("a"), "server/discover", json!({}))).await;
    assert_eq!(host.receive().await["result"]["resultType"], "complete");
    host.send(&modern(json!("b"), "tools/call", echo("on"))).await;
    assert_eq!(host.receive().await["result"]["content"][0]["text"], "on");
    host.send(&modern(json!("c"), "initialize", json!({}))).await;
    assert_eq!(host.receive().await["error"]["code"], -32601);
}

#[tokio::test]
async fn a_function_knows_that_it_is_called_over_stdio() {
    let mut host = start(&["echo"]);
    host.send(&modern(json!(1), "tools/call", json!({ "name": "show_context" }))).await;
    assert_eq!(host.receive().await["result"]["structuredContent"]["transport"], "stdio");
}

#[tokio::test]
async fn a_function_knows_the_client_that_introduced_itself() {
    let mut host = start(&["echo"]);
    let call = |id| legacy(json!(id), "tools/call", json!({ "name": "show_context" }));
    host.send(&call(1)).await;
    assert_eq!(host.receive().await["result"]["structuredContent"]["client"], Value::Null);
    let client = json!({ "name": "test", "version": "7" });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    // Without waiting for the answer: the lines are taken in order.
    host.send(&legacy(json!(2), "initialize", params)).await;
    host.send(&call(3)).await;
    assert_eq!(host.receive().await["id"], 2);
    assert_eq!(host.receive().await["result"]["structuredContent"]["client"], client);
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_stream_goes_on() {
    let mut host = start(&["echo"]);
    for (line, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("not JSON", -32700),
        (r#"{"jsonrpc":"2.0","id":null}"#, -32600),
    ] {
        host.send(line).await;
        let reply = host.receive().await;
        assert_eq!(reply["error"]["code"], code, "{reply}");
    }
    host.send("").await;
    host.send(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).await;
    host.send(&legacy(json!(1), "ping", json!({}))).await;
    assert_eq!(host.receive().await, json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
}

#[tokio::test]
async fn a_line_over_the_limit_is_refused_and_the_next_one_is_read() {
    let mut host = start(&["echo"]);
    host.send(&legacy(json!(1), "tools/call", echo(&"x".repeat(5 << 20)))).await;
    assert_eq!(host.receive().await["error"]["code"], -32600);
    host.send(&legacy(json!(2), "ping", json!({}))).await;
    assert_eq!(host.receive().await["id"], 2);
}

#[tokio::test]
async fn a_long_call_does_not_hold_up_a_short_one() {
    let mut host = start(&["sleepy", "echo"]);
    host.send(&legacy(
        json!(1),
        "tools/call",
        json!({ "name": "sleeps", "arguments": { "ms": 3000 } }),
    ))
    .await;
    host.send(&legacy(json!(2), "tools/call", echo("on"))).await;
    assert_eq!(host.receive().await["id"], 2);
    assert_eq!(host.receive().await["id"], 1);
}

#[tokio::test]
async fn a_cancelled_call_ends_and_is_never_answered() {
    let mut host = start(&["sleepy", "echo"]);
    host.send(&legacy(
        json!(1),
        "tools/call",
        json!({ "name": "sleeps", "arguments": { "ms": 25000 } }),
    ))
    .await;
    host.send(&legacy(json!("1"), "tools/call", echo("on"))).await;
    assert_eq!(host.receive().await["id"], "1");
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}"#).await;
    let closing = std::time::Instant::now();
    let (status, rest) = host.close().await;
    assert!(status.success(), "{status}");
    assert!(rest.is_empty(), "{rest:?}");
    assert!(closing.elapsed().as_secs() < 20, "the host waited for a call that was cancelled");
}

#[tokio::test]
async fn the_input_is_read_while_every_place_is_taken() {
    let mut host = start(&["sleepy", "echo"]);
    for id in 0..64 {
        host.send(&sleep(id, 25_000)).await;
    }
    host.send(&legacy(json!("next"), "tools/call", echo("on"))).await;
    host.send(&legacy(json!("ping"), "ping", json!({}))).await;
    assert_eq!(host.receive().await["id"], "ping");
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
        .await;
    assert_eq!(host.receive().await["id"], "next");
}

#[tokio::test]
async fn a_call_for_which_there_is_no_place_is_refused_at_once() {
    let mut host = start(&["sleepy"]);
    for id in 0..=64 + 1024 {
        host.send(&sleep(id, 25_000)).await;
    }
    let reply = host.receive().await;
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(1088), &json!(-32603)), "{reply}");
}

#[tokio::test]
async fn what_a_client_made_up_is_in_no_log() {
    let lines = [
        legacy(json!(1), "secret/method", json!({})),
        legacy(json!(2), "tools/call", json!({ "name": "secret_tool" })),
        modern(json!(3), "secret/method", json!({})),
    ];
    let host = Host::builder().programs(&["echo"]).environment("MCPFN_LOG", "debug");
    let finished = host.run_with_input(&["start", "--stdio"], &(lines.join("\n") + "\n")).await;
    assert_eq!(finished.stdout.lines().count(), 3, "{}", finished.stdout);
    assert!(finished.stderr.contains("code=-32602 kind=\"tool\""), "{}", finished.stderr);
    assert!(!finished.stderr.contains("secret"), "{}", finished.stderr);
}

#[tokio::test]
async fn calls_in_flight_are_answered_after_the_input_ends() {
    let mut host = start(&["sleepy", "echo"]);
    host.send(&legacy(
        json!(1),
        "tools/call",
        json!({ "name": "sleeps", "arguments": { "ms": 500 } }),
    ))
    .await;
    host.send(&legacy(json!(2), "tools/call", echo("on"))).await;
    let (status, rest) = host.close().await;
    assert!(status.success(), "{status}");
    let mut ids: Vec<u64> = rest.iter().filter_map(|reply| reply["id"].as_u64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
}

#[tokio::test]
async fn many_calls_at_once_are_each_answered_once() {
    let mut host = start(&["echo"]);
    for id in 0..200 {
        host.send(&legacy(json!(id), "tools/call", echo(&id.to_string()))).await;
    }
    let mut answered = Vec::new();
    for _ in 0..200 {
        let reply = host.receive().await;
        let id = reply["id"].as_u64().unwrap();
        assert_eq!(reply["result"]["content"][0]["text"], json!(id.to_string()));
        answered.push(id);
    }
    answered.sort_unstable();
    assert_eq!(answered, (0..200).collect::<Vec<_>>());
    let (_, rest) = host.close().await;
    assert!(rest.is_empty(), "{rest:?}");
}

#[tokio::test]
async fn prompts_resources_and_completions_are_the_same_as_over_http() {
    let programs = ["shared_notes", "everything"];
    let over_http = Host::start(&programs).await;
    let mut host = start(&programs);
    let reference = json!({ "type": "ref/prompt", "name": "summarize" });
    let argument = json!({ "name": "folder", "value": "ho" });
    for (id, (method, params)) in [
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "test_prompt_with_image" })),
        ("prompts/get", json!({ "name": "summarize" })),
        ("prompts/get", json!({ "name": "none" })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "test://static-binary" })),
        ("resources/read", json!({ "uri": "test://template/7/data" })),
        ("resources/read", json!({ "uri": "test://none" })),
        ("completion/complete", json!({ "ref": reference, "argument": argument })),
    ]
    .into_iter()
    .enumerate()
    {
        host.send(&legacy(json!(id), method, params.clone())).await;
        let in_2025 = host.receive().await;
        let expected = over_http.post_legacy(method, params.clone()).await.body;
        assert_eq!(in_2025["result"], expected["result"], "{method} {params}");
        assert_eq!(in_2025["error"], expected["error"], "{method} {params}");
        host.send(&modern(json!(id), method, params.clone())).await;
        let in_2026 = host.receive().await;
        let expected = over_http.post_modern(method, params.clone()).await.body;
        assert_eq!(in_2026["result"], expected["result"], "{method} {params}");
        assert_eq!(in_2026["error"], expected["error"], "{method} {params}");
    }
}
