//! Memory that clients leave behind: none.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::sleep;

use crate::harness::{EventStream, Host, Session, message, request, resident_kib};

/// How long it may take until the memory of what is over is free again.
const BOUND: Duration = Duration::from_secs(30);

async fn start(programs: &[&str]) -> Host {
    let settings = json!({ "version": "2.0", "maxConcurrency": 256, "maxQueue": 4096,
                           "extensions": { "mcp": { "sessionTimeout": "00:00:01" } } });
    Host::builder().programs(programs).host_json(settings).start().await
}

/// Waits until the memory is what it was, and 5 % at the most.
async fn until_free(host: &Host, before: u64) {
    let since = Instant::now();
    let limit = before + before / 20;
    loop {
        let after = resident_kib(host.pid());
        if after <= limit {
            return;
        }
        assert!(since.elapsed() < BOUND, "{after} KiB are in use, {before} KiB were before");
        // Memory tells nobody that it is free.
        sleep(Duration::from_millis(200)).await;
    }
}

/// The least memory within a while: what was needed for a moment is given back.
async fn settled(host: &Host) -> u64 {
    let mut least = u64::MAX;
    for _ in 0..20 {
        least = least.min(resident_kib(host.pid()));
        sleep(Duration::from_millis(200)).await;
    }
    least
}

async fn abandon_sessions(host: &Host) {
    let mut streams: Vec<EventStream> = Vec::new();
    for _ in 0..1000 {
        let session = Session::begin(host).await;
        let params = json!({ "uri": "test://watched-resource" });
        let response = session.post(host, json!(1), "resources/subscribe", params).await;
        assert_eq!(response.body["result"], json!({}), "{}", response.text);
        // Half of all connections may listen.
        if streams.len() == 500 {
            streams.clear();
        }
        streams.push(session.listen(host).await);
    }
}

/// Every other one in a session, where the call goes on without its client.
async fn abandon_streams(host: &Host, n_streams: usize) {
    let params = |ms| {
        json!({ "name": "reports", "arguments": { "steps": 2, "ms": ms },
                "_meta": { "progressToken": 1 } })
    };
    let body = message(Some(&json!(1)), "tools/call", &params(25_000));
    let without_session = request(&[], body.as_bytes());
    let session = Session::begin(host).await;
    let in_session = session.request(&json!(1), "tools/call", &params(20));
    for _ in 0..n_streams / 100 {
        let mut streams = Vec::new();
        for request in [&without_session, &in_session].into_iter().cycle().take(100) {
            streams.push(host.open_stream(request).await);
        }
    }
}

#[tokio::test]
async fn nothing_is_left_of_a_thousand_sessions() {
    let host = start(&["everything"]).await;
    // The allocator keeps some of what was needed at once; by then it has all that it will.
    for _ in 0..3 {
        abandon_sessions(&host).await;
    }
    let before = settled(&host).await;
    abandon_sessions(&host).await;
    until_free(&host, before).await;
}

#[tokio::test]
async fn nothing_is_left_of_ten_thousand_streams() {
    let host = start(&["reports"]).await;
    abandon_streams(&host, 5000).await;
    let before = settled(&host).await;
    abandon_streams(&host, 10_000).await;
    until_free(&host, before).await;
}
