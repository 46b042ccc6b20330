//! The official conformance suite, both requirement sets, against the fixtures of tests/programs.
//!
//! Every scenario is printed with what became of it; those of a part of MCP that is served must pass.

use serde_json::Value;
use tokio::process::Command;

use crate::harness::{Host, node_modules, repository};

async fn suite(requirements: &str, must_pass: &[&str]) {
    let host = Host::start(&["everything"]).await;
    let folder = tempfile::TempDir::new().expect("a folder");
    let output = Command::new("node")
        .arg(repository().join("tests/clients/conformance.mjs"))
        // The suite checks names: it must come as `localhost`.
        .arg(format!("http://localhost:{}/mcp", host.port()))
        .arg(requirements)
        .arg(folder.path())
        .env("MCPFN_TEST_NODE_MODULES", node_modules())
        .kill_on_drop(true)
        .output()
        .await
        .expect("the suite starts");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    report(&format!("conformance {requirements}\n{stdout}"));
    assert!(
        output.status.success(),
        "the suite did not run: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let summary: Value =
        serde_json::from_str(stdout.lines().last().unwrap_or_default()).expect("a summary");
    let passed: Vec<&str> =
        summary["passed"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for scenario in must_pass {
        assert!(passed.contains(scenario), "{scenario} does not pass; these do: {passed:?}");
    }
}

#[expect(clippy::print_stdout, reason = "the table of all scenarios is part of what a run shows")]
fn report(text: &str) {
    println!("{text}");
}

#[tokio::test]
async fn the_suite_of_2025_11_25_passes_where_it_is_about_tools() {
    let must_pass = [
        "server-initialize",
        "server-session-lifecycle",
        "ping",
        "tools-list",
        "tools-call-simple-text",
        "tools-call-error",
        "tools-call-image",
        "tools-call-audio",
        "tools-call-embedded-resource",
        "tools-call-mixed-content",
        "json-schema-2020-12",
        "dns-rebinding-protection",
        "server-sse-multiple-streams",
    ];
    suite("2025-11-25", &must_pass).await;
}

#[tokio::test]
async fn the_suite_of_2026_07_28_passes_where_it_is_about_tools() {
    let must_pass = [
        "tools-list",
        "tools-call-simple-text",
        "tools-call-error",
        "tools-call-image",
        "tools-call-audio",
        "tools-call-embedded-resource",
        "tools-call-mixed-content",
        "json-schema-2020-12",
        "dns-rebinding-protection",
        "server-sse-multiple-streams",
        "http-header-validation",
        "http-custom-header-server-validation",
    ];
    suite("2026-07-28", &must_pass).await;
}
