//! The official conformance suite, both requirement sets, over HTTP and on standard input and output.
//!
//! Every scenario must pass, scored or not; what may be skipped, and what a bridge does not carry, is
//! named with its reason in tests/clients.

use std::process::Output;

use tokio::process::Command;

use crate::harness::{Host, node_modules, repository};

/// All fixtures of the suite.
const EVERYTHING: &[&str] = &["everything"];

fn runner() -> Command {
    let mut command = Command::new("node");
    command
        .arg(repository().join("tests/clients/conformance.mjs"))
        .env("MCPFN_TEST_NODE_MODULES", node_modules())
        .kill_on_drop(true);
    command
}

/// Runs it to its end, and gives its last line: the totals.
async fn passes(mut runner: Command) -> String {
    let Output { status, stdout, stderr } = runner.output().await.expect("the suite starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    report(&format!("conformance\n{stdout}"));
    assert!(status.success(), "{status}:\n{stderr}");
    stdout.lines().last().unwrap_or_default().to_owned()
}

#[expect(clippy::print_stdout, reason = "the table of all scenarios is part of what a run shows")]
fn report(text: &str) {
    println!("{text}");
}

async fn suite(requirements: &str) -> String {
    let host = Host::start(EVERYTHING).await;
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut runner = runner();
    // The suite checks names: it must come as `localhost`.
    runner.arg(format!("http://localhost:{}/mcp", host.port()));
    runner.arg(requirements).arg(folder.path());
    passes(runner).await
}

async fn suite_on_stdio(requirements: &str) -> String {
    let host = Host::builder().programs(EVERYTHING);
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut runner = runner();
    runner.args(["--stdio", requirements]).arg(folder.path());
    runner.args([env!("CARGO_BIN_EXE_mcpfn"), "start", "--stdio", "--host-json"]);
    runner.arg(host.folder().join("host.json"));
    passes(runner).await
}

#[tokio::test]
async fn the_suite_of_2025_11_25_passes() {
    let totals = suite("2025-11-25").await;
    // Two checks are of DELETE, which the host refuses.
    assert!(totals.starts_with("2025-11-25: 33 scenarios, "), "{totals}");
    assert!(totals.ends_with(" checks passed, 2 skipped, 0 faults"), "{totals}");
}

#[tokio::test]
async fn the_suite_of_2026_07_28_passes() {
    let totals = suite("2026-07-28").await;
    // One check is of what the suite cannot see yet.
    assert!(totals.starts_with("2026-07-28: 50 scenarios, "), "{totals}");
    assert!(totals.ends_with(" checks passed, 1 skipped, 0 faults"), "{totals}");
}

#[tokio::test]
async fn the_suite_of_2025_11_25_passes_through_a_bridge_to_stdio() {
    let totals = suite_on_stdio("2025-11-25").await;
    assert!(totals.starts_with("2025-11-25: 33 scenarios, "), "{totals}");
}

#[tokio::test]
async fn the_suite_of_2026_07_28_passes_through_a_bridge_to_stdio() {
    let totals = suite_on_stdio("2026-07-28").await;
    assert!(totals.starts_with("2026-07-28: 50 scenarios, "), "{totals}");
}
