//! Values for an argument that is being typed.

use serde_json::{Value, json};

use crate::harness::Host;

async fn complete(
    host: &Host,
    reference: Value,
    argument: &str,
    value: &str,
    known: Value,
) -> Value {
    let params = json!({
        "ref": reference,
        "argument": { "name": argument, "value": value },
        "context": { "arguments": known },
    });
    let modern = host.post_modern("completion/complete", params.clone()).await;
    let legacy = host.post_legacy("completion/complete", params).await;
    assert_eq!(modern.body["result"]["completion"], legacy.body["result"]["completion"]);
    assert_eq!(modern.body["error"], legacy.body["error"]);
    legacy.body
}

#[tokio::test]
async fn arguments_of_prompts_and_variables_of_resources_are_completed() {
    let host = Host::start(&["shared_notes"]).await;
    for reference in [
        json!({ "type": "ref/prompt", "name": "summarize" }),
        json!({ "type": "ref/resource", "uri": "note://{folder}/{title}" }),
    ] {
        let body = complete(&host, reference.clone(), "folder", "ho", json!({})).await;
        assert_eq!(body["result"]["completion"]["values"], json!(["home", "house"]), "{body}");
        let body = complete(&host, reference.clone(), "title", "", json!({})).await;
        assert_eq!(body["result"]["completion"], json!({ "values": [], "hasMore": false }));
        let body = complete(&host, reference, "none", "", json!({})).await;
        assert_eq!(body["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn what_is_known_already_is_passed_on_unchecked() {
    let host = Host::start(&["shared_notes"]).await;
    let reference = json!({ "type": "ref/prompt", "name": "summarize" });
    let known = json!({ "title": "../hostile", "other": 7 });
    let body = complete(&host, reference, "folder", "so", known).await;
    assert_eq!(body["result"]["completion"]["values"], json!(["some"]), "{body}");
}
