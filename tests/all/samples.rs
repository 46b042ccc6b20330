//! The samples that no other test starts.

use std::fs;

use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
};

use crate::harness::Host;

#[tokio::test]
async fn notes_are_saved_listed_added_to_and_deleted() {
    let host = Host::start(&["notes"]).await;
    for title in ["todo", "trip"] {
        host.call_text("save_note", json!({ "title": title, "text": "# Note" })).await;
    }
    let error = host.call_error("save_note", json!({ "title": "todo", "text": "" })).await;
    assert!(error.contains("there is such a blob already"), "{error}");
    let note = host.call_text("add_to_note", json!({ "title": "todo", "line": "- milk" })).await;
    assert_eq!(note, "# Note\n- milk\n");
    assert_eq!(host.call_text("get_note", json!({ "title": "todo" })).await, note);
    let titles =
        async |arguments| host.call("list_notes", arguments).await["structuredContent"].clone();
    assert_eq!(titles(json!({})).await, json!({ "titles": ["todo", "trip"] }));
    assert_eq!(titles(json!({ "prefix": "tr" })).await, json!({ "titles": ["trip"] }));
    host.call_text("delete_note", json!({ "title": "todo" })).await;
    let error = host.call_error("get_note", json!({ "title": "todo" })).await;
    assert!(error.starts_with("There is no note `todo`."), "{error}");
    assert_eq!(titles(json!({})).await, json!({ "titles": ["trip"] }));
}

#[tokio::test]
async fn a_report_is_a_picture_for_the_client_and_in_the_storage() {
    let host = Host::start(&["report"]).await;
    let rows = json!([{ "label": "Mon", "value": 3 }, { "label": "Tue", "value": 12.5 }]);
    let drawn = host.call("draw_report", json!({ "name": "week", "rows": rows })).await;
    assert_eq!(drawn["content"][0]["mimeType"], "image/png", "{drawn}");
    let kept = host.call("get_report", json!({ "name": "week" })).await;
    assert_eq!(kept["content"], drawn["content"]);
    assert!(fs::read(host.blob("reports/week.png")).expect("the blob").starts_with(b"\x89PNG"));
}

#[tokio::test]
async fn the_weather_is_asked_for_and_a_chart_is_left_for_a_worker() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let service = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a connection");
        let (mut stream, mut line) = (BufReader::new(stream), String::new());
        while !line.ends_with("\r\n\r\n") {
            stream.read_line(&mut line).await.expect("the host sends");
        }
        let body = json!({ "temperature": 12.5, "sky": "light rain" }).to_string();
        let reply = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(reply.as_bytes()).await.expect("the host reads");
        line
    });
    let host = Host::builder()
        .programs(&["weather"])
        .host_json(json!({
            "version": "2.0",
            "connections": {
                "AzureWebJobsStorage": { "url": "file:./.mcpfn/storage" },
                "Weather": { "url": url, "headers": { "Authorization": "Bearer %WEATHER_TOKEN%" } },
            },
        }))
        .environment("WEATHER_TOKEN", "secret")
        .environment("NO_PROXY", "127.0.0.1")
        .start()
        .await;
    let told = host.call("get_weather", json!({ "town": "Ulm" })).await;
    let expected = json!({ "temperature": 12.5, "sky": "light rain", "umbrella": true });
    assert_eq!(told["structuredContent"], expected, "{told}");
    let asked = service.await.expect("it answered");
    assert!(asked.starts_with("GET /Ulm.json HTTP/1.1\r\n"), "{asked}");
    assert!(asked.contains("\r\nauthorization: Bearer secret\r\n"), "{asked}");
    host.call_text("order_chart", json!({ "town": "Ulm" })).await;
    let queue = fs::read_dir(host.folder().join(".mcpfn/storage/.mcpfn-queues/charts"));
    let message = queue.expect("the queue").next().expect("a message").expect("a file").path();
    assert_eq!(fs::read_to_string(message).expect("text"), r#"{"town":"Ulm","days":7}"#);
}
