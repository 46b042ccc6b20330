//! Messages on Azure's queues, as Azurite speaks them and Azure's own library reads them.

use serde_json::{Value, json};

use crate::harness::{Azurite, Builder, Host, Kept};

fn host(azurite: &Azurite, message: &Value) -> Builder {
    // Not in Azure, so that what fails there is the message, and of no argument, so that a long one reaches the queue.
    let sent = json!({ "type": "blob", "direction": "out", "name": "sent", "connection": "Files",
                       "path": "reports/last" });
    Host::builder()
        .programs(&["asks_service"])
        .host_json(json!({
            "version": "2.0",
            "connections": { "Files": { "url": "file:files" } },
            "functions": { "report": { "bindings": [sent, message] } },
        }))
        .environment("AzureWebJobsStorage", &azurite.connection_string())
        .environment("NO_PROXY", "127.0.0.1")
}

#[tokio::test]
async fn a_message_is_taken_by_azures_own_library() {
    let azurite = Azurite::start(Kept::InMemory).await.with_queues().await;
    let message = json!({ "type": "queue", "direction": "out", "name": "job", "queueName": "charts",
                          "timeToLive": 3600 });
    let host = host(&azurite, &message).start().await;
    // The queue does not exist yet: the first message makes it.
    for town in ["Bern", "Zürich & <Umgebung>"] {
        host.call_text("report", json!({ "town": town, "seen": "rain" })).await;
    }
    let taken = azurite.queue_library(&["take", "charts"], "").await;
    assert_eq!(taken, "\"draw Bern\"\n\"draw Zürich & <Umgebung>\"\n");
    let long = "x".repeat(48 * 1024);
    let error = host.call_error("report", json!({ "town": long, "seen": "" })).await;
    let sentence = "output `job` was not written: the message is larger than 48 KiB, which are 64 KiB in base64; \
                    already written: `sent` (";
    assert!(error.starts_with(sentence), "{error}");
}

#[tokio::test]
async fn a_queue_that_is_away_is_one_sentence_and_takes_messages_when_it_is_back() {
    let mut azurite = Azurite::start(Kept::InFolder).await.with_queues().await;
    let message =
        json!({ "type": "queue", "direction": "out", "name": "job", "queueName": "charts" });
    let host = host(&azurite, &message).start().await;
    host.call_text("report", json!({ "town": "Bern", "seen": "rain" })).await;
    azurite.stop().await;
    let error = host.call_error("report", json!({ "town": "Chur", "seen": "rain" })).await;
    let sentence = "output `job` may not have been written: the storage of connection `AzureWebJobsStorage` cannot be reached; \
                    already written: `sent` (";
    assert!(error.starts_with(sentence), "{error}");
    assert!(!azurite.secrets().iter().any(|secret| error.contains(secret)), "{error}");
    azurite.restart().await;
    host.call_text("report", json!({ "town": "Genf", "seen": "rain" })).await;
    let taken = azurite.queue_library(&["take", "charts"], "").await;
    assert_eq!(taken, "\"draw Bern\"\n\"draw Genf\"\n");
}
