//! Components that other languages than Rust make.

use serde_json::json;
use tokio::process::Command;

use crate::harness::{Builder, Host, node_modules, repository};

/// A host with a component of JavaScript, made with these options.
async fn javascript(options: &[&str]) -> Builder {
    let builder = Host::builder();
    let output = Command::new("node")
        .arg(node_modules().join("componentize-qjs/cli.mjs"))
        .arg("-j")
        .arg(repository().join("tests/clients/tool.js"))
        .arg("-w")
        .arg(repository().join("wit"))
        .args(["-n", "function", "--opt-size", "-m"])
        .args(options)
        .arg("-o")
        .arg(builder.folder().join("functions/tool.wasm"))
        .kill_on_drop(true)
        .output()
        .await
        .expect("node starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    builder
}

#[tokio::test]
async fn a_component_of_javascript_with_asynchronous_parts_is_served() {
    let host = javascript(&[]).await.programs(&["echo"]).start().await;
    for _ in 0..2 {
        assert_eq!(host.call_text("js_echo", json!({ "text": "hi" })).await, "hi");
        assert_eq!(host.call_text("echo", json!({ "text": "ho" })).await, "ho");
    }
}

#[tokio::test]
async fn a_guest_with_asynchronous_parts_that_loops_for_ever_times_out() {
    let builder = javascript(&[]).await;
    let host =
        builder.host_json(json!({ "version": "2.0", "functionTimeout": "00:00:01" })).start().await;
    let error = host.call_error("js_echo", json!({ "text": "loop" })).await;
    assert!(error.starts_with("the tool timed out after 1 s ("), "{error}");
    assert_eq!(host.call_text("js_echo", json!({ "text": "hi" })).await, "hi");
}

#[tokio::test]
async fn a_component_of_javascript_without_asynchronous_parts_is_served() {
    let host = javascript(&["--sync"]).await.start().await;
    assert_eq!(host.call_text("js_echo", json!({ "text": "hi" })).await, "hi");
}
