//! The same bindings on Azure Blob Storage, as Azurite speaks it and Azure's own library reads it.

use serde_json::{Value, json};

use crate::harness::{Azurite, Builder, Host, Kept, repository};

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
    let azurite = Azurite::start_on(10000, Kept::InMemory).await;
    let text = std::fs::read_to_string(repository().join("host.json")).expect("host.json");
    let mut host_json: Value = serde_json::from_str(&text).expect("JSON");
    host_json["connections"] = json!({});
    let host = snippets("UseDevelopmentStorage=true").host_json(host_json).start().await;
    saved_by_one_is_read_by_the_other(&azurite, &host).await;
}

#[tokio::test]
async fn odd_names_are_the_same_names_in_azure() {
    let azurite = Azurite::start(Kept::InMemory).await;
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
    let azurite = Azurite::start(Kept::InMemory).await;
    let host = snippets(&azurite.connection_string()).start().await;
    host.call_text("save_snippet", json!({ "snippetname": "a", "snippet": "x" })).await;
    let secrets = azurite.secrets();
    drop(azurite);
    let error =
        host.call_error("save_snippet", json!({ "snippetname": "b", "snippet": "x" })).await;
    assert!(
        error.contains("the storage of connection `AzureWebJobsStorage` cannot be reached"),
        "{error}"
    );
    assert!(!secrets.iter().any(|secret| error.contains(secret)), "{error}");
}
