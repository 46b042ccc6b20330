//! Skills: entries, files and directories.

use serde_json::json;

use crate::harness::Host;

const URI: &str = "skill://pdf-processing/SKILL.md";

#[tokio::test]
async fn a_skill_is_listed_with_its_files_which_are_read_like_resources() {
    let host = Host::start(&["everything"]).await;
    let listed = host.post_modern("skills/list", json!({})).await;
    let entry = &listed.body["result"]["skills"][0];
    assert_eq!(
        (&entry["uri"], &entry["frontmatter"]["name"]),
        (&json!(URI), &json!("pdf-processing"))
    );
    let got = host.post_legacy("skills/get", json!({ "uri": URI })).await;
    assert_eq!(got.body["result"], json!({ "skill": entry }));
    for file in entry["resources"].as_array().expect("files") {
        let response = host.post_modern("resources/read", json!({ "uri": file["uri"] })).await;
        let contents = &response.body["result"]["contents"][0];
        let text = contents["text"].as_str().expect("a text");
        assert_eq!(file["size"], text.len());
        assert_eq!(contents["mimeType"], "text/markdown");
    }
    let unknown = host.post_modern("skills/get", json!({ "uri": "skill://none/SKILL.md" })).await;
    assert_eq!(unknown.body["error"]["code"], -32602);
}

#[tokio::test]
async fn a_directory_of_a_skill_lists_what_is_in_it() {
    let host = Host::start(&["everything"]).await;
    let read = json!({ "uri": "skill://pdf-processing" });
    let response = host.post_modern("resources/directory/read", read).await;
    let children = response.body["result"]["resources"].as_array().expect("children");
    let shown: Vec<_> = children.iter().map(|child| (&child["name"], &child["mimeType"])).collect();
    assert_eq!(
        shown,
        [
            (&json!("SKILL.md"), &json!("text/markdown")),
            (&json!("references"), &json!("inode/directory")),
        ]
    );
    let file = host.post_modern("resources/directory/read", json!({ "uri": URI })).await;
    assert_eq!(file.body["error"]["code"], -32602);
}

#[tokio::test]
async fn without_skills_the_extension_is_not_announced() {
    let host = Host::start(&["shared_notes"]).await;
    let discovered = host.post_modern("server/discover", json!({})).await;
    assert!(discovered.body["result"]["capabilities"].get("extensions").is_none());
    // A client may have seen some before a reload.
    let listed = host.post_modern("skills/list", json!({})).await;
    assert_eq!(listed.body["result"]["skills"], json!([]));
    for method in ["skills/get", "resources/directory/read", "resources/read"] {
        let response = host.post_modern(method, json!({ "uri": URI })).await;
        assert_eq!((response.status, &response.body["error"]["code"]), (200, &json!(-32602)));
    }
}
