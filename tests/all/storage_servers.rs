//! What other tests take for granted of the storage that they start.

use std::{collections::HashSet, fs};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::harness::{Azurite, Kept, S3};

/// JSON, one value per line.
fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test]
async fn of_fifty_conditional_puts_to_s3_at_once_one_is_done() {
    let s3 = S3::start().await;
    let rounds = values(&s3.library(&["race", "racing", "a", "50"], "").await);
    assert_eq!(rounds.len(), 2);
    for round in rounds {
        assert_eq!(round["statuses"], json!({ "200": 1, "412": 49 }));
        assert_eq!(round["won"], json!([round["content"]]));
    }
}

#[tokio::test]
async fn s3_that_is_killed_has_all_that_it_answered_to_and_nothing_by_halves() {
    let mut s3 = S3::start().await;
    s3.restart_with(&["--slow", "100"]).await;
    let mut flood = s3.client(&["flood", "flooded", "1000"]).spawn().expect("Python starts");
    let mut lines = BufReader::new(flood.stdout.take().expect("stdout is piped")).lines();
    let mut answered = HashSet::new();
    while let Some(line) = lines.next_line().await.expect("text") {
        answered.insert(line);
        if answered.len() == 100 {
            s3.kill().await;
            // What it was writing. Unless there is some, the test proves nothing.
            assert!(staged(&s3) > 0, "it was killed between two writes");
        }
    }
    assert!(flood.wait().await.expect("it ran").success());
    assert!((100..1000).contains(&answered.len()), "{} of 1000", answered.len());

    s3.restart().await;
    let whole = s3.library(&["check", "flooded"], "").await;
    let whole: HashSet<String> = whole.lines().map(str::to_owned).collect();
    let lost: Vec<_> = answered.difference(&whole).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(staged(&s3), 0);
}

/// The number of files that are being written.
fn staged(s3: &S3) -> usize {
    fs::read_dir(s3.folder().join("staging")).expect("a folder").count()
}

#[tokio::test]
async fn an_object_that_comes_in_parts_is_one_after_a_kill() {
    let mut s3 = S3::start().await;
    let content = "0123456789abcdef".repeat(1024 * 1024);
    let attributes = json!({ "contentType": "text/x", "metadata": { "of": "me" } });
    s3.library(&["write", "large", "a", "-", &attributes.to_string()], &content).await;
    s3.kill().await;
    s3.restart().await;
    let stat = &values(&s3.library(&["stat", "large", "a"], "").await)[0];
    assert_eq!(stat["contentType"], attributes["contentType"]);
    assert_eq!(stat["metadata"], attributes["metadata"]);
    assert_eq!(stat["size"], content.len());
    assert!(stat["etag"].as_str().expect("text").ends_with("-2\""), "{stat}");
    assert!(s3.library(&["read", "large", "a"], "").await == content);
    assert_eq!(s3.library(&["uploads", "large"], "").await, "");
    assert_eq!(s3.library(&["list", "large"], "").await, "\"a\"\n");
}

#[tokio::test]
async fn what_is_not_signed_with_its_key_s3_refuses() {
    let s3 = S3::start().await;
    s3.library(&["write", "mine", "a"], "x").await;
    let mut stranger = s3.client(&["read", "mine", "a"]);
    let output = stranger.env("AWS_SECRET_ACCESS_KEY", "another").output().await.expect("it ran");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.trim(), "s3_object: 403 SignatureDoesNotMatch");
}

#[tokio::test]
async fn s3_has_the_trouble_that_a_test_asks_for() {
    let mut s3 = S3::start().await;
    s3.library(&["write", "troubled", "a"], "x").await;
    let read = ["read", "troubled", "a"];
    let list = ["list", "troubled"];
    let write = ["write", "troubled", "b"];

    s3.restart_with(&["--deny"]).await;
    assert_eq!(s3.library_error(&read, "").await, "s3_object: 403 AccessDenied\n");
    s3.restart_with(&["--read-only"]).await;
    assert_eq!(s3.library_error(&write, "y").await, "s3_object: 403 AccessDenied\n");
    assert_eq!(s3.library(&read, "").await, "x");
    s3.restart_with(&["--full"]).await;
    assert_eq!(s3.library_error(&write, "y").await, "s3_object: 507 XMinioStorageFull\n");
    assert_eq!(s3.library(&list, "").await, "\"a\"\n");
    s3.restart_with(&["--throttle", "1"]).await;
    assert_eq!(s3.library_error(&read, "").await, "s3_object: 503 SlowDown\n");
    assert_eq!(s3.library(&read, "").await, "x");

    s3.restart_with(&["--cut", "1"]).await;
    let error = s3.library_error(&write, "y").await;
    assert!(error.contains("ConnectionClosedError"), "{error}");
    assert_eq!(s3.library(&["read", "troubled", "b"], "").await, "y");
}

#[tokio::test]
async fn azurite_in_a_folder_has_what_it_had_when_it_was_stopped() {
    let mut azurite = Azurite::start(Kept::InFolder).await.with_queues().await;
    let attributes = json!({ "contentType": "text/x", "metadata": { "of": "me" } }).to_string();
    azurite.library(&["write", "kept", "a", "-", &attributes], "x").await;
    azurite.queue_library(&["send", "kept", "é"], "").await;
    azurite.stop().await;
    azurite.restart().await;
    let stat = &values(&azurite.library(&["stat", "kept", "a"], "").await)[0];
    assert_eq!(stat["contentType"], "text/x");
    assert_eq!(stat["metadata"]["of"], "me");
    azurite.kill().await;
    azurite.restart().await;
    assert_eq!(azurite.library(&["read", "kept", "a"], "").await, "x");
    assert_eq!(azurite.queue_library(&["take", "kept"], "").await, "\"é\"\n");
}
