//! The same bindings on Azure Blob Storage, as Azurite speaks it and Azure's own library reads it.

use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, Command},
    time::{Duration, timeout},
};

use crate::harness::{Builder, Host, node_modules, python, repository};

/// Azurite's published account.
const KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/// A storage service on a port of its own, with nothing in it.
struct Azurite {
    _child: Child,
    _folder: TempDir,
    port: u16,
}

impl Azurite {
    async fn start(port: u16) -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut child = Command::new("node")
            .arg(node_modules().join("azurite/dist/src/blob/main.js"))
            .args(["--blobHost", "127.0.0.1", "--blobPort", &port.to_string()])
            .args([
                "--inMemoryPersistence",
                "--skipApiVersionCheck",
                "--disableTelemetry",
                "--silent",
            ])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Azurite starts");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let listening = async {
            while let Some(line) = lines.next_line().await.expect("stdout is text") {
                if let Some(port) = line.split("listens on http://127.0.0.1:").nth(1) {
                    return port.trim().parse().expect("a port");
                }
            }
            panic!("Azurite ended before it listened");
        };
        let port =
            timeout(Duration::from_mins(1), listening).await.expect("Azurite listens in time");
        Self { _child: child, _folder: folder, port }
    }

    fn connection_string(&self) -> String {
        format!(
            "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={KEY};\
             BlobEndpoint=http://127.0.0.1:{}/devstoreaccount1;",
            self.port
        )
    }

    /// Azure's own library.
    async fn library(&self, arguments: &[&str], input: &str) -> String {
        let mut child = Command::new(python())
            .arg(repository().join("tests/clients/azure_blob.py"))
            .arg(arguments[0])
            .arg(self.connection_string())
            .args(&arguments[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Python starts");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        stdin.write_all(input.as_bytes()).await.expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().await.expect("it ran");
        assert!(output.status.success(), "{arguments:?}: {}", output.status);
        String::from_utf8(output.stdout).expect("text")
    }
}

/// The host.json of the repository, with storage left to the setting.
fn snippets(connection_string: &str) -> Builder {
    Host::builder()
        .programs(&["snippets", "odd_blobs"])
        .host_json(json!({ "version": "2.0" }))
        .environment("AzureWebJobsStorage", connection_string)
        .environment("NO_PROXY", "127.0.0.1")
}

async fn saved_by_one_is_read_by_the_other(azurite: &Azurite, host: &Host) {
    // The container does not exist yet: the first save makes it, as Azure does.
    host.call_text("save_snippet", json!({ "snippetname": "hello", "snippet": "from the host" }))
        .await;
    assert_eq!(azurite.library(&["read", "snippets", "hello.json"], "").await, "from the host");
    azurite.library(&["write", "snippets", "back.json", "-"], "from the library").await;
    assert_eq!(
        host.call_text("get_snippets", json!({ "snippetname": "back" })).await,
        "from the library"
    );
    assert_eq!(
        host.call_text("get_snippets", json!({ "snippetname": "no" })).await,
        "Snippet 'no' not found"
    );
}

#[tokio::test]
async fn development_storage_is_shared_with_azures_own_library() {
    // `UseDevelopmentStorage=true` means this port.
    let azurite = Azurite::start(10000).await;
    let text = std::fs::read_to_string(repository().join("host.json")).expect("host.json");
    let mut host_json: Value = serde_json::from_str(&text).expect("JSON");
    host_json["connections"] = json!({});
    let host = snippets("UseDevelopmentStorage=true").host_json(host_json).start().await;
    saved_by_one_is_read_by_the_other(&azurite, &host).await;
}

#[tokio::test]
async fn odd_names_are_the_same_names_in_azure() {
    let azurite = Azurite::start(0).await;
    let host = snippets(&azurite.connection_string()).start().await;
    saved_by_one_is_read_by_the_other(&azurite, &host).await;
    for name in [
        "é", "a b", "a#b", "100%", "a~b", "..a", "a%2Fb", "[x]", "a*b?", "日本", "a&b=c", "a+b",
        "%41",
    ] {
        host.call_text("put_blob", json!({ "name": name, "content": name })).await;
        assert_eq!(azurite.library(&["read", "odd", name], "").await, name);
        azurite.library(&["write", "odd", &format!("{name}2"), "-"], name).await;
        assert_eq!(host.call_text("read_blob", json!({ "name": format!("{name}2") })).await, name);
    }
}

#[tokio::test]
async fn storage_that_went_away_is_a_tool_error_that_names_no_address() {
    let azurite = Azurite::start(0).await;
    let host = snippets(&azurite.connection_string()).start().await;
    host.call_text("save_snippet", json!({ "snippetname": "a", "snippet": "x" })).await;
    drop(azurite);
    let error =
        host.call_error("save_snippet", json!({ "snippetname": "b", "snippet": "x" })).await;
    assert!(error.contains("the storage of connection `AzureWebJobsStorage` failed"), "{error}");
    assert!(!error.contains("127.0.0.1") && !error.contains(KEY), "{error}");
}
