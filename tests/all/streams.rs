//! Replies that become streams of events: when they do, and what is on them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Host, Session, modern, request};

const TOKEN: &str = "a token";

fn call(tool: &str, arguments: Value) -> Value {
    json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": TOKEN } })
}

fn sleep(ms: u64) -> Vec<u8> {
    modern("tools/call", json!({ "name": "sleeps", "arguments": { "ms": ms } }))
}

/// The same request of a client that takes these media types.
fn accepting(accept: &str, request: &[u8]) -> Vec<u8> {
    let request = String::from_utf8(request.to_vec()).expect("a request is text");
    let ours = "application/json, text/event-stream";
    assert!(request.contains(ours));
    request.replacen(ours, accept, 1).into_bytes()
}

#[tokio::test]
async fn a_quick_reply_is_json() {
    let host = Host::start(&["echo"]).await;
    let params = json!({ "name": "echo", "arguments": { "text": "on" } });
    let response = host.post_modern("tools/call", params).await;
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert!(response.header("content-length").is_some());
}

#[tokio::test]
async fn a_reply_that_takes_over_a_second_is_a_stream_that_no_proxy_holds_back() {
    let host = Host::start(&["sleepy"]).await;
    let asked = Instant::now();
    let mut stream = host.open_stream(&sleep(3000)).await;
    assert_eq!(stream.next_block().await.as_deref(), Some(":\n\n"));
    let waited = asked.elapsed();
    assert!(waited >= Duration::from_secs(1) && waited < Duration::from_secs(3), "{waited:?}");
    assert_eq!(stream.header("x-accel-buffering"), Some("no"));
    assert_eq!(stream.header("cache-control"), Some("no-cache"));
    let reply = stream.next().await.expect("there is a reply");
    assert_eq!((reply.kind.as_str(), reply.id.as_deref()), ("message", None));
    assert_eq!(reply.message()["result"]["content"][0]["text"], "slept 3000 ms");
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn what_is_said_before_a_reply_makes_it_a_stream_at_once() {
    let host = Host::start(&["reports"]).await;
    let request = modern("tools/call", call("reports", json!({ "steps": 2, "ms": 20_000 })));
    let asked = Instant::now();
    let mut stream = host.open_stream(&request).await;
    let told = stream.next_message().await;
    assert_eq!(told["method"], "notifications/progress", "{told}");
    assert!(asked.elapsed() < Duration::from_secs(15), "{:?}", asked.elapsed());
}

#[tokio::test]
async fn messages_come_in_order_and_the_reply_is_the_last() {
    let host = Host::start(&["reports"]).await;
    for ms in [0, 1500] {
        let params = call("reports", json!({ "steps": 100, "ms": ms }));
        let response = host.post_modern("tools/call", params).await;
        let (reply, told) = response.messages.split_last().expect("there are messages");
        assert_eq!(reply["result"]["content"][0]["text"], "100 steps", "{reply}");
        let steps: Vec<_> = told.iter().map(|it| it["params"]["progress"].as_u64()).collect();
        assert_eq!(steps, (1..=100).map(Some).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn nothing_said_last_is_lost_in_a_session() {
    let host = Host::start(&["reports"]).await;
    let session = Session::begin(&host).await;
    for ms in [0, 1500] {
        let params = call("reports", json!({ "steps": 100, "ms": ms }));
        let response = session.post(&host, json!(1), "tools/call", params).await;
        let (reply, told) = response.messages.split_last().expect("there are messages");
        assert_eq!(reply["result"]["content"][0]["text"], "100 steps", "{reply}");
        let steps: Vec<_> = told.iter().map(|it| it["params"]["progress"].as_u64()).collect();
        assert_eq!(steps, (1..=100).map(Some).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_client_that_reads_slowly_misses_lines_and_gets_its_answer() {
    let host = Host::start(&["reports"]).await;
    let session = Session::begin(&host).await;
    session.post(&host, json!(0), "logging/setLevel", json!({ "level": "info" })).await;
    let params = json!({ "name": "logs", "arguments": { "lines": 20_000 } });
    let response = session.post(&host, json!(1), "tools/call", params).await;
    assert_eq!(response.body["result"]["content"][0]["text"], "20000 lines", "{}", response.body);
    let lines = response.messages[..response.messages.len() - 1].iter().map(|told| {
        let text = told["params"]["data"].as_str().and_then(|text| text.strip_prefix("line "));
        text.and_then(|number| number.parse::<u32>().ok()).unwrap_or_else(|| panic!("{told}"))
    });
    assert!(lines.is_sorted());
}

#[tokio::test]
async fn a_client_that_takes_json_only_never_gets_a_stream() {
    let host = Host::start(&["sleepy", "reports"]).await;
    let reports = modern("tools/call", call("reports", json!({ "steps": 3 })));
    for accept in ["application/json", "application/json, text/event-stream;q=0", "*/*"] {
        for (request, text) in [(sleep(1500), "slept 1500 ms"), (reports.clone(), "3 steps")] {
            let response = host.raw(&accepting(accept, &request)).await;
            assert_eq!(response.header("content-type"), Some("application/json"), "{accept}");
            assert_eq!(response.body["result"]["content"][0]["text"], text, "{accept}");
        }
    }
}

#[tokio::test]
async fn a_client_that_takes_json_only_cannot_listen() {
    let host = Host::start(&["echo"]).await;
    let filter = json!({ "notifications": { "toolsListChanged": true } });
    let listen = accepting("application/json", &modern("subscriptions/listen", filter));
    let response = host.raw(&listen).await;
    assert_eq!(response.status, 406, "{}", response.text);
    assert_eq!(response.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn a_stream_is_silent_for_15_seconds_at_the_most() {
    let host = Host::start(&["sleepy"]).await;
    let mut stream = host.open_stream(&sleep(25_000)).await;
    assert_eq!(stream.next_block().await.as_deref(), Some(":\n\n"));
    let silent = Instant::now();
    assert_eq!(stream.next_block().await.as_deref(), Some(":\n\n"));
    let waited = silent.elapsed();
    assert!(waited > Duration::from_secs(14) && waited < Duration::from_secs(20), "{waited:?}");
}

#[tokio::test]
async fn a_call_that_fails_late_is_answered_on_its_stream() {
    let settings = json!({ "version": "2.0", "functionTimeout": "00:00:02" });
    let host = Host::builder().programs(&["spin"]).host_json(settings).start().await;
    let request = modern("tools/call", json!({ "name": "loops_forever", "arguments": {} }));
    let reply = host.open_stream(&request).await.next_message().await;
    assert_eq!(reply["result"]["isError"], true, "{reply}");
}

#[tokio::test]
async fn the_last_event_of_a_stream_is_written_before_the_host_stops() {
    let host = Host::start(&["sleepy"]).await;
    let mut stream = host.open_stream(&sleep(3000)).await;
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    let reply = stream.next_message().await;
    assert_eq!(reply["result"]["content"][0]["text"], "slept 3000 ms");
}

#[tokio::test]
async fn a_request_without_a_revision_may_become_a_stream_too() {
    let host = Host::start(&["sleepy"]).await;
    let body = json!({ "jsonrpc": "2.0", "id": "x", "method": "tools/call",
                       "params": { "name": "sleeps", "arguments": { "ms": 1200 } } });
    let mut stream = host.open_stream(&request(&[], body.to_string().as_bytes())).await;
    let reply = stream.next().await.expect("there is a reply");
    assert_eq!((reply.id.as_deref(), &reply.message()["id"]), (None, &json!("x")));
}
