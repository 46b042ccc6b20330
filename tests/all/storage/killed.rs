//! Storage that is killed in the middle of it, and comes back.

use futures_util::{StreamExt, stream::FuturesUnordered};
use serde_json::{Value, json};

use super::backend::Backend;
use crate::harness::{Host, S3};

const N_SAVES: usize = 200;

/// After how many answers the server is killed.
const N_ANSWERS: usize = 40;

/// As much as takes a moment.
fn content(n: usize) -> String {
    format!("{n} ").repeat(20_000)
}

async fn save(host: &Host, n: usize) -> (usize, Value) {
    let arguments = json!({ "name": format!("blob-{n}"), "content": content(n) });
    (n, host.call("save_text", arguments).await)
}

/// The number of files that the server is writing.
fn staged(s3: &S3) -> usize {
    std::fs::read_dir(s3.folder().join("staging")).expect("a folder").count()
}

#[tokio::test]
async fn of_two_hundred_saves_in_which_s3_is_killed_each_is_there_or_was_refused() {
    let mut s3 = S3::start().await;
    s3.restart_with(&["--slow", "20"]).await;
    let backend = Backend::S3(Box::new(s3));
    let host = backend.host().await;
    let Backend::S3(mut s3) = backend else { unreachable!("it was made above") };

    let mut calls: FuturesUnordered<_> = (0..N_SAVES).map(|n| save(&host, n)).collect();
    let (mut saved, mut n_refused) = (Vec::new(), 0);
    let mut n_answers = 0;
    while let Some((n, result)) = calls.next().await {
        if result["isError"] == true {
            let text = result["content"][0]["text"].as_str().expect("a text");
            let expected = "written: the storage of connection `AzureWebJobsStorage` ";
            assert!(text.starts_with("output `$return` ") && text.contains(expected), "{text}");
            assert!(!text.contains("127.0.0.1"), "{text}");
            n_refused += 1;
        } else {
            saved.push(n);
        }
        n_answers += 1;
        if n_answers == N_ANSWERS {
            s3.kill().await;
        }
    }
    assert!(
        saved.len() >= N_ANSWERS && n_refused > 0,
        "{} saved, {n_refused} refused",
        saved.len()
    );

    s3.restart().await;
    for n in saved {
        let arguments = json!({ "name": format!("blob-{n}") });
        assert!(host.call_text("get_text", arguments).await == content(n), "blob-{n}");
    }
    // What was refused may be there, but whole.
    let names = s3.library(&["list", "store"], "").await;
    for line in names.lines() {
        let name: String = serde_json::from_str(line).expect("JSON");
        let n = name.strip_prefix("blob-").and_then(|n| n.parse().ok()).expect("a blob of ours");
        assert!(s3.library(&["read", "store", &name], "").await == content(n), "{name}");
    }
    assert_eq!(s3.library(&["uploads", "store"], "").await, "", "an upload was left open");
    assert_eq!(staged(&s3), 0);
    let (_, again) = save(&host, 1).await;
    assert_ne!(again["isError"], true, "{again}");
}
