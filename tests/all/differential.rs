//! The same messages to the host and to the official Rust SDK: each difference has a reason, or is a fault.

use std::process::{Output, Stdio};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

use crate::harness::{Host, peer, repository};

/// Starts the reference; the process, which ends with the test, and its URL.
async fn reference() -> (Child, String) {
    let mut child = Command::new(peer("rmcp_reference"))
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the reference starts");
    let stdout = child.stdout.take().expect("stdout is piped");
    let line = BufReader::new(stdout).lines().next_line().await.expect("stdout is text");
    let line = line.expect("it says where it serves");
    let url = line.strip_prefix("Serving at ").expect("it says where it serves").to_owned();
    (child, url)
}

#[tokio::test]
async fn every_difference_to_the_official_sdk_has_a_reason() {
    let host = Host::start(&["everything", "structured"]).await;
    let (_reference, reference) = reference().await;
    let Output { status, stdout, stderr } = Command::new(peer("differential"))
        .args([format!("{}/mcp", host.url()), reference])
        .arg(repository().join("tests/differential/differences.json"))
        .kill_on_drop(true)
        .output()
        .await
        .expect("the comparison starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{status}:\n{stdout}{stderr}");
}
