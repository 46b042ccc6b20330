//! Two hosts write one blob, each only if it is still what they read.

use serde_json::json;

use super::backend::Backend;
use crate::harness::Host;

/// How many updates are made in all. Every one is raced for.
const ROUNDS: usize = 1_000;

/// Adds one until it has done so this often; how often it came too late.
async fn add(host: &Host, n_updates: usize) -> usize {
    let (mut n_done, mut n_late) = (0, 0);
    while n_done < n_updates {
        let result = host.call("add_one", json!({ "name": "counter" })).await;
        if result["isError"] != true {
            n_done += 1;
            continue;
        }
        let text = result["content"][0]["text"].as_str().expect("a text");
        assert!(text.contains("since input `count` was read"), "{text}");
        n_late += 1;
    }
    n_late
}

async fn no_update_is_lost(backend: Backend) {
    let (one, other) = tokio::join!(backend.host(), backend.host());
    let (late_one, late_other) = tokio::join!(add(&one, ROUNDS / 2), add(&other, ROUNDS / 2));
    let count = one.call_text("get_text", json!({ "name": "counter" })).await;
    assert_eq!(count, ROUNDS.to_string(), "{late_one} and {late_other} came too late");
    assert!(late_one + late_other > 0, "they never met, which proves nothing");
}

#[tokio::test]
async fn on_a_folder_no_update_is_lost() {
    no_update_is_lost(Backend::folder()).await;
}

#[tokio::test]
async fn on_azurite_no_update_is_lost() {
    no_update_is_lost(Backend::azurite().await).await;
}

#[tokio::test]
async fn on_s3_no_update_is_lost() {
    no_update_is_lost(Backend::s3().await).await;
}
