//! Storage that does not do what it is asked: one sentence for the client, the detail for the log, and all is well again
//! once the storage is.

use serde_json::{Value, json};

use super::backend::Backend;
use crate::harness::{Host, S3};

async fn save(host: &Host) -> Value {
    host.call("save_text", json!({ "name": "a", "content": "x" })).await
}

async fn get(host: &Host) -> Value {
    host.call("get_text", json!({ "name": "a" })).await
}

/// What is said when a write comes to nothing, and when a read does.
#[track_caller]
fn check(result: &Value, which: &str, fault: &str) {
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let expected =
        format!("{which}: the storage of connection `AzureWebJobsStorage` {fault} (invocation ");
    assert!(text.starts_with(&expected), "{text}\n{expected}");
    assert!(!text.contains("127.0.0.1") && !text.contains("http"), "{text}");
}

const WRITE: &str = "output `$return` was not written";
/// What is said when the answer to a write may have been lost.
const UNCLEAR: &str = "output `$return` may not have been written";
const READ: &str = "input `content` was not read";

/// A host on an S3 server with such trouble.
async fn troubled(options: &[&str]) -> (Box<S3>, Host) {
    let mut s3 = S3::start().await;
    s3.restart_with(options).await;
    let backend = Backend::S3(Box::new(s3));
    let host = backend.host().await;
    let Backend::S3(s3) = backend else { unreachable!("it was made above") };
    (s3, host)
}

/// No restart of the host is needed.
async fn is_well_again(mut s3: Box<S3>, host: &Host) {
    s3.restart().await;
    let saved = save(host).await;
    assert_ne!(saved["isError"], true, "{saved}");
    assert_eq!(get(host).await["content"][0]["text"], "x");
}

#[tokio::test]
async fn storage_that_nobody_serves_cannot_be_reached() {
    let (mut s3, host) = troubled(&[]).await;
    s3.kill().await;
    check(&save(&host).await, UNCLEAR, "cannot be reached");
    check(&get(&host).await, READ, "cannot be reached");
    host.logged("error").await;
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn storage_that_denies_access_is_said_to() {
    let (s3, host) = troubled(&["--deny"]).await;
    check(&save(&host).await, WRITE, "denied access");
    check(&get(&host).await, READ, "denied access");
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn storage_that_may_only_be_read_denies_a_write() {
    let (s3, host) = troubled(&["--read-only"]).await;
    check(&save(&host).await, WRITE, "denied access");
    let missing = get(&host).await;
    assert_eq!(missing["content"][0]["text"], "there is no `a`", "{missing}");
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn storage_without_room_is_full() {
    let (s3, host) = troubled(&["--full"]).await;
    check(&save(&host).await, WRITE, "is full");
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn storage_that_is_busy_for_a_moment_is_asked_again() {
    let (s3, host) = troubled(&["--throttle", "1"]).await;
    let saved = save(&host).await;
    assert_ne!(saved["isError"], true, "{saved}");
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn storage_that_stays_busy_is_said_to() {
    let (s3, host) = troubled(&["--throttle", "1000"]).await;
    check(&save(&host).await, WRITE, "is busy (try again later)");
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn storage_that_is_slower_than_the_tool_may_be_ends_the_call_in_time() {
    let mut s3 = S3::start().await;
    s3.restart_with(&["--slow", "60000"]).await;
    let backend = Backend::S3(Box::new(s3));
    let host = backend.builder(json!({ "functionTimeout": "00:00:02" })).start().await;
    let result = save(&host).await;
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("timed out after 2 s"), "{text}");
    let Backend::S3(s3) = backend else { unreachable!("it was made above") };
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn a_stream_that_its_storage_breaks_off_fails_the_call() {
    let (mut s3, host) = troubled(&[]).await;
    host.call("big_write", json!({ "name": "a", "mib": 1 })).await;
    s3.kill().await;
    let error = host.call_error("big_write", json!({ "name": "a", "mib": 12 })).await;
    assert!(
        error.contains("the storage of connection `AzureWebJobsStorage` cannot be reached"),
        "{error}"
    );
    let error = host.call_error("big_read", json!({ "name": "a" })).await;
    assert!(
        error.contains("the storage of connection `AzureWebJobsStorage` cannot be reached"),
        "{error}"
    );
    is_well_again(s3, &host).await;
}

#[tokio::test]
async fn a_folder_without_room_is_full_and_keeps_what_it_had() {
    let host = Backend::Memory
        .builder(json!({ "connections": { "AzureWebJobsStorage": { "url": "file:small" } } }))
        .on_a_disk_of_one_mebibyte("small")
        .start()
        .await;
    let saved = save(&host).await;
    assert_ne!(saved["isError"], true, "{saved}");
    let arguments = json!({ "name": "a", "content": "x".repeat(2 << 20) });
    check(&host.call("save_text", arguments).await, WRITE, "is full");
    let error = host.call_error("big_write", json!({ "name": "a", "mib": 4 })).await;
    assert!(error.contains("the storage of connection `AzureWebJobsStorage` is full"), "{error}");
    assert_eq!(get(&host).await["content"][0]["text"], "x");
    // What did not fit takes no room.
    let arguments = json!({ "name": "b", "content": "x".repeat(500 << 10) });
    let saved = host.call("save_text", arguments).await;
    assert_ne!(saved["isError"], true, "{saved}");
}

#[tokio::test]
async fn a_folder_that_takes_no_files_is_said_to() {
    // Nobody makes files there, not even root.
    let more = json!({ "connections": { "AzureWebJobsStorage": { "url": "file:/proc/mcpfn" } } });
    let host = Backend::Memory.builder(more).start().await;
    let result = save(&host).await;
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    assert!(
        text.starts_with(&format!("{WRITE}: the storage of connection `AzureWebJobsStorage` ")),
        "{text}"
    );
    assert!(!text.contains("/proc"), "{text}");
}
