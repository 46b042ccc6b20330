//! Clients that other people wrote: each lists, saves and gets, over HTTP and on standard input and output, and
//! does with the fixtures of the conformance suite all that it can.

use std::{fs, path::Path, process::Output};

use tokio::process::Command;

use crate::harness::{Host, node_modules, peer, program, python, repository};

/// One of the scripts of tests/clients.
fn client(script: &str) -> Command {
    let path = repository().join("tests/clients").join(script);
    let is_python = path.extension().is_some_and(|extension| extension == "py");
    let mut command = if is_python { Command::new(python()) } else { Command::new("node") };
    command
        .arg(path)
        .env("MCPFN_TEST_NODE_MODULES", node_modules())
        // The scripts that share code would leave it compiled in the repository.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .kill_on_drop(true);
    command
}

async fn run(mut command: Command) -> String {
    let Output { status, stdout, stderr } = command.output().await.expect("the client starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?} ended with {status}:\n{stdout}\n{stderr}");
    stdout.trim().to_owned()
}

/// What a client says that could do everything.
const DID_ALL: &str = "listed, called, structured, asked, progressed, cancelled";

/// Runs a client that calls the fixtures of the suite, and waits until the host has seen so many of its calls
/// cancelled.
async fn does(mut client: Command, n_cancelled: usize, expected: &str) {
    let host = Host::start(&["everything", "structured"]).await;
    client.arg(format!("{}/mcp", host.url()));
    assert_eq!(run(client).await, expected);
    if n_cancelled > 0 {
        host.logged_again("outcome=\"cancelled\"", n_cancelled).await;
    }
}

async fn saves_and_gets(script: &str, expected: &str) {
    let host = Host::start(&["snippets", "greeting"]).await;
    let url = format!("{}/mcp", host.url());
    let mut save = client(script);
    save.args([&url, "hello", "fn main() {}"]);
    assert_eq!(run(save).await, expected);
    assert_eq!(fs::read(host.blob("snippets/hello.json")).expect("the blob"), b"fn main() {}");
    let (_, stopped) = host.stop().await;
    let host = stopped.start().await;
    let mut get = client(script);
    get.args(["--get", &format!("{}/mcp", host.url()), "hello", "fn main() {}"]);
    run(get).await;
}

async fn saves_and_gets_on_stdio(script: &str, expected: &str) {
    let folder = tempfile::TempDir::new().expect("a folder");
    let functions = folder.path().join("functions");
    fs::create_dir(&functions).expect("a folder");
    fs::copy(program("snippets"), functions.join("snippets.wasm")).expect("a copy");
    fs::write(folder.path().join("host.json"), r#"{ "version": "2.0" }"#).expect("host.json");
    let mut command = client(script);
    command.args([
        "--stdio",
        "hello",
        "fn main() {}",
        env!("CARGO_BIN_EXE_mcpfn"),
        "start",
        "--stdio",
        "--host-json",
    ]);
    command.arg(folder.path().join("host.json"));
    assert_eq!(run(command).await, expected);
    let blob: &Path = &folder.path().join(".mcpfn/storage/snippets/hello.json");
    assert_eq!(fs::read(blob).expect("the blob"), b"fn main() {}");
}

#[tokio::test]
async fn the_python_client_saves_and_gets_in_the_modern_era() {
    saves_and_gets("modern.py", "modern: listed 5, saved, got").await;
}

#[tokio::test]
async fn the_python_client_saves_and_gets_on_stdio() {
    saves_and_gets_on_stdio("modern.py", "modern: listed 4, saved, got").await;
}

#[tokio::test]
async fn the_typescript_client_saves_and_gets_in_the_legacy_era() {
    saves_and_gets("legacy.mjs", "legacy: listed 5, saved, got").await;
}

#[tokio::test]
async fn the_typescript_client_saves_and_gets_on_stdio() {
    saves_and_gets_on_stdio("legacy.mjs", "legacy: listed 4, saved, got").await;
}

#[tokio::test]
async fn inspector_saves_and_gets_in_both_eras_and_finds_nothing_to_lint() {
    let both = |n: u8| {
        format!("inspector: modern: listed {n}, saved, got; legacy: listed {n}, saved, got")
    };
    saves_and_gets("inspector.mjs", &both(5)).await;
}

#[tokio::test]
async fn inspector_saves_and_gets_on_stdio() {
    saves_and_gets_on_stdio(
        "inspector.mjs",
        "inspector: modern: listed 4, saved, got; legacy: listed 4, saved, got",
    )
    .await;
}

#[tokio::test]
async fn the_python_client_does_everything_in_both_eras() {
    let expected = format!("everything_mcp: auto: {DID_ALL}; legacy: {DID_ALL}");
    does(client("everything_mcp.py"), 2, &expected).await;
}

#[tokio::test]
async fn fastmcp_does_everything_in_both_eras() {
    let expected = format!("everything_fastmcp: auto: {DID_ALL}; legacy: {DID_ALL}");
    does(client("everything_fastmcp.py"), 2, &expected).await;
}

#[tokio::test]
async fn the_typescript_client_does_everything_in_both_eras() {
    let expected = format!("client: auto: {DID_ALL}; legacy: {DID_ALL}");
    does(client("everything_client.mjs"), 2, &expected).await;
}

#[tokio::test]
async fn the_older_typescript_sdk_does_everything_over_both_transports() {
    let expected = format!("sdk: streamable: {DID_ALL}; sse: {DID_ALL}");
    does(client("everything_sdk.mjs"), 2, &expected).await;
}

#[tokio::test]
async fn inspector_calls_the_fixtures_in_both_eras_and_finds_nothing_to_lint() {
    // The rest is not for a client that ends with its request.
    let did = "listed, called, structured";
    let expected = format!("inspector: modern: {did}; legacy: {did}");
    does(client("everything_inspector.mjs"), 0, &expected).await;
}

#[tokio::test]
async fn the_rust_client_does_everything_in_both_eras() {
    let expected = format!("rmcp: modern: {DID_ALL}; legacy: {DID_ALL}");
    let mut client = Command::new(peer("rmcp_client"));
    client.kill_on_drop(true);
    does(client, 2, &expected).await;
}
