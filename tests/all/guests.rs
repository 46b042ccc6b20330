//! What becomes of guests that misbehave: the caller is told which way, and the host goes on.

use serde_json::json;

use crate::harness::Host;

#[tokio::test]
async fn a_guest_that_panics_is_a_tool_error_and_its_message_is_in_the_log() {
    let host = Host::start(&["panic", "echo"]).await;
    let error = host.call_error("panics", json!({})).await;
    assert!(error.starts_with("the tool failed (invocation "), "{error}");
    host.logged("panicked").await;
    let id = error.trim_end_matches(')').rsplit(' ').next().expect("an id");
    host.logged(id).await;
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
}

#[tokio::test]
async fn a_guest_that_loops_for_ever_times_out() {
    let host = Host::builder()
        .programs(&["spin", "echo"])
        .host_json(json!({ "version": "2.0", "functionTimeout": "00:00:01" }))
        .start()
        .await;
    let error = host.call_error("loops_forever", json!({})).await;
    assert!(error.starts_with("the tool timed out after 1 s (invocation "), "{error}");
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
}

#[tokio::test]
async fn guests_that_loop_for_ever_do_not_hold_up_others() {
    let host = Host::builder()
        .programs(&["spin", "echo"])
        .host_json(json!({ "version": "2.0", "functionTimeout": "00:00:05" }))
        .start()
        .await;
    let spin = || host.call_error("loops_forever", json!({}));
    // More of them than the machine has cores; the short call passes them all.
    let spins = async { tokio::join!(spin(), spin(), spin(), spin()) };
    let call = host.call_text("echo", json!({ "text": "on" }));
    let ((first, ..), ()) = tokio::join!(spins, async {
        let started = std::time::Instant::now();
        assert_eq!(call.await, "on");
        assert!(started.elapsed().as_secs() < 4, "the short call waited for the loops");
    });
    assert!(first.starts_with("the tool timed out"), "{first}");
}

#[tokio::test]
async fn a_guest_that_waits_in_the_host_times_out() {
    let host = Host::builder()
        .programs(&["sleepy"])
        .host_json(json!({ "version": "2.0", "functionTimeout": "00:00:01" }))
        .start()
        .await;
    let error = host.call_error("sleeps", json!({ "ms": 60000 })).await;
    assert!(error.starts_with("the tool timed out after 1 s (invocation "), "{error}");
}

#[tokio::test]
async fn a_guest_that_eats_memory_is_told_apart_from_one_that_panics() {
    let host = Host::start(&["eat_memory", "echo"]).await;
    let error = host.call_error("eats_memory", json!({})).await;
    assert!(error.starts_with("the tool ran out of memory (64 MiB) (invocation "), "{error}");
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
}

#[tokio::test]
async fn a_guest_that_exits_is_a_tool_error() {
    let host = Host::start(&["exit", "echo"]).await;
    let error = host.call_error("exits", json!({})).await;
    assert!(error.starts_with("the tool exited before it answered (invocation "), "{error}");
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
}

#[tokio::test]
async fn a_guest_that_returns_too_much_is_a_tool_error() {
    let host = Host::builder()
        .programs(&["flood", "echo"])
        .host_json(json!({ "version": "2.0", "limits": { "memoryMiB": 512 } }))
        .start()
        .await;
    let error = host.call_error("returns_100_mib", json!({})).await;
    assert!(
        error.starts_with("the tool returned more than the limit of 32 MiB (invocation "),
        "{error}"
    );
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
}

#[tokio::test]
async fn a_reply_is_measured_before_it_is_copied_out_of_the_guest() {
    let host = Host::builder()
        .programs(&["flood"])
        .host_json(json!({ "version": "2.0", "limits": { "memoryMiB": 1024 } }))
        .start()
        .await;
    for (mib, fits) in [(1, true), (31, true), (40, false), (200, false)] {
        let result = host.call("returns_bytes", json!({ "mib": mib })).await;
        assert_eq!(result["isError"] != true, fits, "{mib} MiB");
        if !fits {
            let text = result["content"][0]["text"].as_str().expect("a text");
            assert!(text.starts_with("the tool returned more than the limit of 32 MiB"), "{text}");
        }
    }
}

#[tokio::test]
async fn a_guest_cannot_write_a_line_that_looks_like_the_hosts() {
    let host = Host::start(&["shout", "echo"]).await;
    host.call("forges_log", json!({})).await;
    host.call_text("echo", json!({ "text": "on" })).await;
    host.logged("tool=\"echo\"").await;
    let forged = host.log_lines().into_iter().filter(|line| line.contains("tool=\"fake\""));
    for line in forged {
        assert!(line.contains("tool=\"forges_log\""), "{line}");
    }
}

#[tokio::test]
async fn the_error_that_a_guest_chose_reaches_the_client() {
    let host = Host::start(&["fails"]).await;
    assert_eq!(
        host.call_error("fails", json!({ "message": "no such snippet" })).await,
        "no such snippet"
    );
}

#[tokio::test]
async fn every_call_runs_in_a_fresh_instance() {
    let host = Host::start(&["remembers"]).await;
    for _ in 0..3 {
        assert_eq!(host.call_text("remembers", json!({})).await, "0");
    }
}

#[tokio::test]
async fn what_a_guest_prints_is_in_the_log_with_its_tool() {
    let host = Host::start(&["shout"]).await;
    host.call("shouts", json!({ "text": "hear me" })).await;
    for stream in ["stdout", "stderr"] {
        let line = host.logged(&format!("{stream}: hear me")).await;
        for part in ["tool=\"shouts\"", "invocation=\"", &format!("stream=\"{stream}\"")] {
            assert!(line.contains(part), "`{part}` is not in: {line}");
        }
    }
    let line = host.logged("log with a field text=hear me").await;
    assert!(line.contains("WARN") && line.contains("tool=\"shouts\""), "{line}");
}

#[tokio::test]
async fn a_guest_knows_who_asks_but_not_by_which_key() {
    let host = Host::start(&["echo"]).await;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "show_context", "arguments": { "a": 1 },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "tester", "version": "1.2" }
        }
    } })
    .to_string();
    let response = host
        .post(
            &[
                ("MCP-Protocol-Version", "2026-07-28"),
                ("Mcp-Method", "tools/call"),
                ("Mcp-Name", "show_context"),
                ("X-Test", "abc"),
                ("X-Other", "not listed"),
                ("Authorization", "Bearer secret"),
                ("X-Functions-Key", "secret"),
                ("Cookie", "secret"),
            ],
            body.as_bytes(),
        )
        .await;
    let text = response.body["result"]["content"][0]["text"].as_str().expect("a text");
    let context: serde_json::Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(context["name"], "show_context");
    assert_eq!(context["transport"], "http");
    assert_eq!(context["client"]["name"], "tester");
    assert_eq!(context["header"], "abc");
    assert!(!text.contains("secret") && !text.contains("not listed"), "{text}");
}

/// The memory of a process in KiB.
fn resident_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the host runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory is known");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}

#[tokio::test]
async fn a_thousand_panics_cost_no_memory_and_no_good_call() {
    let host = Host::start(&["panic", "echo"]).await;
    let mut after_hundred = 0;
    for round in 0..1000 {
        let error = host.call_error("panics", json!({})).await;
        assert!(error.starts_with("the tool failed"), "{error}");
        assert_eq!(host.call_text("echo", json!({ "text": "good" })).await, "good");
        if round == 99 {
            after_hundred = resident_kib(host.pid());
        }
    }
    let at_end = resident_kib(host.pid());
    assert!(
        at_end <= after_hundred + after_hundred / 20,
        "{after_hundred} KiB grew to {at_end} KiB"
    );
}
