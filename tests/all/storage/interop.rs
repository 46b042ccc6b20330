//! Blobs of ours under the hands of other programs, and theirs under ours.

use serde_json::{Value, json};

use super::backend::Backend;
use crate::harness::{Azurite, Host, S3};

/// Azure's own library, or Amazon's, as far as these tests go.
enum Library<'a> {
    Azure(&'a Azurite),
    Amazon(&'a S3),
}

impl Library<'_> {
    async fn run(&self, arguments: &[&str], input: &str) -> String {
        match self {
            Self::Azure(azurite) => azurite.library(arguments, input).await,
            Self::Amazon(s3) => s3.library(arguments, input).await,
        }
    }

    async fn stat(&self, container: &str, name: &str) -> Value {
        serde_json::from_str(&self.run(&["stat", container, name], "").await).expect("JSON")
    }
}

const ODD: [&str; 14] = [
    "é", "a b", "a#b", "100%", "a~b", "..a", "a%2Fb", "[x]", "a*b?", "日本", "a&b=c", "a+b", "%41",
    "x/y/z",
];

async fn both_ways(library: Library<'_>, host: &Host) {
    for name in ODD {
        host.call_text("save_text", json!({ "name": name, "content": name })).await;
        assert_eq!(library.run(&["read", "store", name], "").await, name);
        let theirs = format!("{name}2");
        library.run(&["write", "store", &theirs, "-"], name).await;
        assert_eq!(host.call_text("get_text", json!({ "name": theirs })).await, name);
    }
    let mut names = Vec::new();
    for line in library.run(&["list", "store"], "").await.lines() {
        names.push(serde_json::from_str::<String>(line).expect("JSON"));
    }
    assert_eq!(names.len(), 2 * ODD.len(), "{names:?}");

    host.call_text("tagged", json!({ "name": "note", "author": "Ada" })).await;
    let stat = library.stat("store", "note").await;
    assert_eq!(stat["contentType"], "text/markdown; charset=utf-8", "{stat}");
    assert_eq!(stat["metadata"], json!({ "author": "Ada", "source": "tests" }), "{stat}");
    host.call_text("tagged", json!({ "name": "note" })).await;
    let stat = library.stat("store", "note").await;
    assert_eq!(stat["metadata"], json!({ "source": "tests" }), "{stat}");

    let attributes = json!({ "contentType": "text/x-theirs", "metadata": { "by": "them" } });
    library.run(&["write", "runtime", "theirs", "-", &attributes.to_string()], "x").await;
    let stat = host.call("container_stat", json!({ "name": "theirs" })).await;
    let stat = &stat["structuredContent"];
    assert_eq!(stat["content_type"], "text/x-theirs", "{stat}");
    assert_eq!(stat["metadata"], json!({ "by": "them" }), "{stat}");

    // In parts, both ways.
    host.call("big_write", json!({ "name": "big", "mib": 12 })).await;
    assert_eq!(library.stat("store", "big").await["size"], 12 << 20);
    // One that they change between our read and our write is not ours to replace.
    library.run(&["write", "store", "n", "-"], "41").await;
    assert_eq!(host.call_text("add_one", json!({ "name": "n" })).await, "42");
    assert_eq!(library.run(&["read", "store", "n"], "").await, "42");
}

#[tokio::test]
async fn azures_own_library_finds_our_blobs_and_we_find_its() {
    let backend = Backend::azurite().await;
    let host = backend.host().await;
    let Backend::Azurite(azurite) = &backend else { unreachable!("it was made above") };
    both_ways(Library::Azure(azurite), &host).await;
}

#[tokio::test]
async fn amazons_own_library_finds_our_blobs_and_we_find_its() {
    let backend = Backend::s3().await;
    let host = backend.host().await;
    let Backend::S3(s3) = &backend else { unreachable!("it was made above") };
    both_ways(Library::Amazon(s3), &host).await;
}
