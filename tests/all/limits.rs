//! What one invocation may use, of all functions and of one; and how many of them there may be.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Host, modern};

/// What a tool says when it is called under this host.json.
async fn error(program: &str, tool: &str, arguments: Value, settings: Value) -> String {
    let host = start(&[program], settings).await;
    host.call_error(tool, arguments).await
}

async fn start(programs: &[&str], settings: Value) -> Host {
    let mut host_json = json!({ "version": "2.0" });
    for (key, value) in settings.as_object().expect("members") {
        host_json[key] = value.clone();
    }
    Host::builder().programs(programs).host_json(host_json).start().await
}

#[tokio::test]
async fn a_guest_that_computes_for_longer_than_its_processor_time_is_ended() {
    let started = Instant::now();
    let error =
        error("spin", "loops_forever", json!({}), json!({ "limits": { "cpuTimeMs": 200 } })).await;
    assert!(error.starts_with("the tool used more than 0.2 s of processor time ("), "{error}");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_guest_that_waits_uses_no_processor_time() {
    let host = start(&["sleepy"], json!({ "limits": { "cpuTimeMs": 200 } })).await;
    assert_eq!(host.call_text("sleeps", json!({ "ms": 600 })).await, "slept 600 ms");
}

#[tokio::test]
async fn one_function_may_have_limits_of_its_own() {
    let limits = json!({
        "limits": { "memoryMiB": 16 },
        "functions": {
            "eats_memory": { "limits": { "memoryMiB": 8 } },
            "loops_forever": { "functionTimeout": "00:00:01" }
        }
    });
    let host = start(&["eat_memory", "spin"], limits).await;
    let error = host.call_error("eats_memory", json!({})).await;
    assert!(error.starts_with("the tool ran out of memory (8 MiB) ("), "{error}");
    let error = host.call_error("loops_forever", json!({})).await;
    assert!(error.starts_with("the tool timed out after 1 s ("), "{error}");
}

#[tokio::test]
async fn a_function_that_may_not_have_what_its_component_starts_with_does_not_load() {
    let host_json = json!({
        "version": "2.0",
        "limits": { "memoryMiB": 256 },
        "functions": { "greedy": { "limits": { "memoryMiB": 64 } } }
    });
    let builder = Host::builder().programs(&["greedy"]).host_json(host_json);
    let finished = builder.run(&["check"]).await;
    assert_eq!(finished.code, Some(1), "{}", finished.stderr);
    for part in ["functions/greedy.wasm", "64 MiB", "`limits.memoryMiB`"] {
        assert!(finished.stderr.contains(part), "`{part}` is not in: {}", finished.stderr);
    }
}

#[tokio::test]
async fn a_guest_that_calls_itself_without_end_overflows_its_stack() {
    let none = error("recurses", "recurses", json!({}), json!({})).await;
    assert!(none.starts_with("the tool overflowed its stack (512 KiB) ("), "{none}");
    let small =
        error("recurses", "recurses", json!({}), json!({ "engine": { "stackKiB": 128 } })).await;
    assert!(small.starts_with("the tool overflowed its stack (128 KiB) ("), "{small}");
}

#[tokio::test]
async fn a_guest_has_only_so_much_open_at_once() {
    let host = start(&["holds_handles"], json!({ "limits": { "handles": 50 } })).await;
    assert_eq!(host.call_text("holds_handles", json!({ "count": 40 })).await, "held 40");
    let error = host.call_error("holds_handles", json!({ "count": 60 })).await;
    assert!(error.starts_with("the tool opened too many handles (50) ("), "{error}");
}

#[tokio::test]
async fn arguments_larger_than_their_limit_are_refused_before_the_guest_runs() {
    let host = start(&["echo"], json!({ "limits": { "argumentsKiB": 1 } })).await;
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
    let error = host.call_error("echo", json!({ "text": "a".repeat(2000) })).await;
    assert_eq!(error, "the arguments are larger than the limit of 1 KiB");
}

#[tokio::test]
async fn a_reply_larger_than_its_limit_is_a_tool_error() {
    let error = error(
        "flood",
        "returns_bytes",
        json!({ "mib": 2 }),
        json!({ "limits": { "replyMiB": 1 } }),
    )
    .await;
    assert!(error.starts_with("the tool returned more than the limit of 1 MiB ("), "{error}");
}

#[tokio::test]
async fn a_guest_prints_no_more_than_its_limit() {
    let host = start(&["shout"], json!({ "limits": { "logKiB": 1 } })).await;
    host.call("shouts", json!({ "text": "a".repeat(2000) })).await;
    let line = host.logged("prints too much: the rest is dropped").await;
    assert!(line.contains("limit=1024"), "{line}");
}

#[tokio::test]
async fn one_call_more_than_run_and_wait_is_told_that_the_tool_is_busy() {
    let limits = json!({ "functions": { "sleeps": { "maxConcurrency": 1, "maxQueue": 1 } } });
    let host = start(&["sleepy", "echo"], limits).await;
    // It runs until its client goes away.
    let mut connection = host.connect().await;
    let sleep = tokio::spawn(async move {
        let params = json!({ "name": "sleeps", "arguments": { "ms": 600_000 } });
        connection.send(&modern("tools/call", params)).await;
    });
    host.logged("sleeping").await;
    // One of these waits for the one that runs; for the other there is no place.
    let refused = async {
        host.logged("outcome=\"busy\"").await;
        sleep.abort();
    };
    let (one, other, ()) = tokio::join!(
        host.call("sleeps", json!({ "ms": 1 })),
        host.call("sleeps", json!({ "ms": 1 })),
        refused
    );
    let texts = [&one, &other]
        .map(|result| result["content"][0]["text"].as_str().expect("a text").to_owned());
    assert!(texts.contains(&"slept 1 ms".to_owned()), "{texts:?}");
    let busy =
        texts.iter().find(|text| text.starts_with("the tool is busy")).expect("one is refused");
    assert!(
        busy.starts_with(
            "the tool is busy: 1 of its calls are running and 1 are waiting (try again later) ("
        ),
        "{busy}"
    );
    // Other tools have places of their own.
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_times_out_like_one_that_runs() {
    let limits = json!({
        "functionTimeout": "00:00:01",
        "functions": { "sleeps": { "maxConcurrency": 1 } }
    });
    let host = start(&["sleepy"], limits).await;
    let (first, second) = tokio::join!(
        host.call_error("sleeps", json!({ "ms": 60_000 })),
        host.call_error("sleeps", json!({ "ms": 60_000 }))
    );
    for error in [first, second] {
        assert!(error.starts_with("the tool timed out after 1 s ("), "{error}");
    }
}

#[tokio::test]
async fn a_host_without_a_pool_serves_too() {
    let host = start(&["echo"], json!({ "engine": { "pooling": false, "maxInstances": 2 } })).await;
    assert_eq!(host.call_text("echo", json!({ "text": "on" })).await, "on");
}
