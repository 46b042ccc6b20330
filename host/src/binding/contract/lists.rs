//! Lists of blobs: the same order, the same pages, on every storage.

use serde_json::{Value as JsonValue, json};

use super::{Bench, ODD, storages, text, whole, with_name};
use crate::{
    binding::BindingError,
    function::{StorageError, Value},
};

async fn list(bench: &Bench, config: JsonValue, name: &str) -> Result<JsonValue, BindingError> {
    let mut whole_config = json!({ "operation": "list" });
    whole_config.as_object_mut().unwrap().extend(config.as_object().unwrap().clone());
    let input = bench.input(whole_config).unwrap();
    let target = with_name(name, |data| input.resolve(data))?.expect("the argument is there");
    let found = input.read(&target).await?.expect("a list is always there");
    let Value::Json(text) = whole(found) else { panic!("a list is JSON") };
    Ok(serde_json::from_str(&text).unwrap())
}

fn names(list: &JsonValue) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

/// Saves blobs of these names, each with its own name as content.
async fn fill(bench: &Bench, names: &[&str]) {
    for name in names {
        bench.save("snippets/{mcptoolargs.name:path}", name, text(name)).await.unwrap();
    }
}

#[tokio::test]
async fn names_come_in_the_order_of_their_bytes_whatever_is_a_folder() {
    for bench in storages() {
        let mut all = ["a", "a-b", "a.b/c", "a0", "b/a", "b/b/c", "b-", "b0", "é", "z/é"];
        fill(&bench, &all[1..]).await;
        // `a` is a blob, so it cannot be a folder of files too; `a.b` is.
        fill(&bench, &["a"]).await;
        let list = list(&bench, json!({ "path": "snippets/" }), "").await.unwrap();
        all.sort_unstable();
        assert_eq!(names(&list), all);
        assert!(list.get("next").is_none());
    }
}

#[tokio::test]
async fn a_prefix_may_end_anywhere() {
    for bench in storages() {
        fill(&bench, &["a", "ab", "abc", "abd/x", "abd/y/z", "ac", "b/ab"]).await;
        for (prefix, expected) in [
            ("ab", &["ab", "abc", "abd/x", "abd/y/z"][..]),
            ("abd", &["abd/x", "abd/y/z"]),
            ("ab/", &[]),
            ("abd/y", &["abd/y/z"]),
            ("b", &["b/ab"]),
            ("x", &[]),
        ] {
            let path = format!("snippets/{prefix}");
            let list = list(&bench, json!({ "path": path }), "").await.unwrap();
            assert_eq!(names(&list), expected, "{prefix}");
        }
        let list = list(&bench, json!({ "path": "snippets/{mcptoolargs.name}" }), "ac").await;
        assert_eq!(names(&list.unwrap()), ["ac"]);
        let list = list_folder(&bench, "abd").await;
        assert_eq!(names(&list), ["abd/x", "abd/y/z"]);
    }
}

async fn list_folder(bench: &Bench, name: &str) -> JsonValue {
    list(bench, json!({ "path": "snippets/{mcptoolargs.name}/" }), name).await.unwrap()
}

#[tokio::test]
async fn sizes_times_and_versions_are_told() {
    for bench in storages() {
        fill(&bench, &["12345"]).await;
        let list = list(&bench, json!({ "path": "snippets/" }), "").await.unwrap();
        let item = &list["items"][0];
        assert_eq!((item["name"].as_str(), item["size"].as_u64()), (Some("12345"), Some(5)));
        let modified = item["modified"].as_str().unwrap();
        assert!(chrono::DateTime::parse_from_rfc3339(modified).is_ok(), "{modified}");
        let etag = bench.container().stat("12345").await.unwrap().entry.etag;
        assert_eq!(item["etag"].as_str(), etag.as_deref());
    }
}

#[tokio::test]
async fn pages_go_on_where_the_last_one_ended() {
    for bench in storages() {
        let all: Vec<String> = (0..25)
            .map(|n| if n % 3 == 0 { format!("f{n:02}/x") } else { format!("f{n:02}") })
            .collect();
        fill(&bench, &all.iter().map(String::as_str).collect::<Vec<_>>()).await;
        fill(&bench, &["e", "g"]).await;
        let config = json!({ "path": "snippets/f", "maxItems": 10, "after": "{mcptoolargs.name}" });
        let mut found = Vec::new();
        let mut after = "f".to_owned();
        loop {
            let page = list(&bench, config.clone(), &after).await.unwrap();
            found.extend(names(&page).into_iter().map(str::to_owned));
            let Some(next) = page.get("next") else { break };
            assert_eq!(names(&page).len(), 10);
            after = next.as_str().unwrap().to_owned();
        }
        assert_eq!(found, all);
    }
}

#[tokio::test]
async fn a_full_last_page_is_the_last() {
    for bench in storages() {
        fill(&bench, &["a", "b"]).await;
        let page = list(&bench, json!({ "path": "snippets/", "maxItems": 2 }), "").await.unwrap();
        assert_eq!(names(&page), ["a", "b"]);
        assert!(page.get("next").is_none());
    }
}

#[tokio::test]
async fn a_container_that_does_not_exist_is_empty() {
    for bench in storages() {
        let list = list(&bench, json!({ "path": "nothing-here/" }), "").await.unwrap();
        assert_eq!(list, json!({ "items": [] }));
    }
}

#[tokio::test]
async fn odd_names_are_listed_as_they_are() {
    for bench in storages() {
        let mut expected = ODD.to_vec();
        fill(&bench, &ODD).await;
        let list = list(&bench, json!({ "path": "snippets/" }), "").await.unwrap();
        expected.sort_unstable();
        assert_eq!(names(&list), expected);
        for odd in ODD {
            let page =
                super::lists::list(&bench, json!({ "path": "snippets/{mcptoolargs.name}" }), odd);
            assert!(names(&page.await.unwrap()).contains(&odd), "{odd}");
        }
    }
}

#[tokio::test]
async fn names_that_no_call_takes_are_left_out_and_no_page_ends_on_one() {
    let bench = Bench::with("file:./storage");
    fill(&bench, &["a", "z"]).await;
    for foreign in ["b\\c", "nl\n", "dot.", "x\u{2028}y"] {
        std::fs::write(bench.file("storage/snippets").join(foreign), "").unwrap();
    }
    let config = json!({ "path": "snippets/", "maxItems": 1, "after": "{mcptoolargs.name}" });
    let page = list(&bench, config.clone(), "a").await.unwrap();
    assert_eq!(names(&page), ["z"]);
    let page = list(&bench, json!({ "path": "snippets/" }), "").await.unwrap();
    assert_eq!(names(&page), ["a", "z"]);
}

#[tokio::test]
async fn what_the_storage_keeps_for_itself_is_not_listed() {
    let bench = Bench::with("file:./storage");
    let output = bench
        .output(json!({ "path": "snippets/{mcptoolargs.name}", "metadata": { "a": "b" } }))
        .unwrap();
    let target = with_name("x", |data| output.resolve(data)).unwrap().unwrap();
    output.write(&target, b"x", None).await.unwrap();
    let entries = std::fs::read_dir(bench.file("storage/snippets")).unwrap().count();
    assert_eq!(entries, 4, "the blob, and what the storage keeps");
    let list = list(&bench, json!({ "path": "snippets/" }), "").await.unwrap();
    assert_eq!(names(&list), ["x"]);
}

#[tokio::test]
async fn a_container_lists_pages_at_run_time() {
    for bench in storages() {
        fill(&bench, &["a/1", "a/2", "b"]).await;
        let container = bench.container();
        let page = container.list("a/", None).await.unwrap();
        let listed: Vec<_> = page.items.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!((listed.as_slice(), page.next), (&["a/1", "a/2"][..], None));
        let page = container.list("", Some("a/1")).await.unwrap();
        assert_eq!(page.items.len(), 2);
        for hostile in ["../", "/", "a//", "a\\"] {
            let error = container.list(hostile, None).await.unwrap_err();
            assert!(matches!(error, StorageError::Other(_)), "{hostile}: {error:?}");
        }
    }
}

#[tokio::test]
async fn hostile_prefixes_and_cursors_are_refused() {
    for bench in storages() {
        let prefix = json!({ "path": "snippets/{mcptoolargs.name}" });
        for hostile in ["..", "a/b", "", "\0"] {
            assert!(list(&bench, prefix.clone(), hostile).await.is_err(), "{hostile}");
        }
        let cursor = json!({ "path": "snippets/", "after": "{mcptoolargs.name}" });
        for hostile in ["../x", "/", "a\\b"] {
            let error = list(&bench, cursor.clone(), hostile).await.unwrap_err().public_message();
            assert!(error.starts_with("the name to go on after "), "{error}");
        }
    }
}

#[test]
fn lists_that_cannot_work_are_errors() {
    let bench = Bench::with("memory:");
    for (config, message) in [
        (json!({"maxItems": 0}), "`maxItems`: expected a number from 1 to 5000"),
        (json!({"maxItems": 5001}), "`maxItems`: expected a number from 1 to 5000"),
        (json!({"dataType": "json"}), "`dataType`: a list has none"),
        (json!({"maxBytes": 1}), "`maxBytes`: a list has none"),
        (
            json!({"operation": "read", "maxItems": 1}),
            "`maxItems`: only a list has it: `\"operation\": \"list\"`",
        ),
    ] {
        let mut whole = json!({ "path": "snippets/a", "operation": "list" });
        whole.as_object_mut().unwrap().extend(config.as_object().unwrap().clone());
        assert_eq!(bench.input(whole).unwrap_err().to_string(), message);
    }
}
