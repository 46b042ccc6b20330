//! The samples that no other test starts.

use std::fs;

use serde_json::json;

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
