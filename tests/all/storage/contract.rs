//! The contract of a storage, as tools see it: the same tests on each.

use serde_json::{Value, json};

use super::backend::Backend;
use crate::harness::Host;

/// Makes each of these functions a test on each storage.
macro_rules! contract {
    ($($test:ident)*) => {
        contract!(@on folder, Backend::folder(), $($test)*);
        contract!(@on memory, Backend::Memory, $($test)*);
        contract!(@on azurite, Backend::azurite().await, $($test)*);
        contract!(@on s3, Backend::s3().await, $($test)*);
    };
    (@on $name:ident, $backend:expr, $($test:ident)*) => {
        mod $name {
            use crate::storage::backend::Backend;
            $(
                #[tokio::test]
                async fn $test() {
                    let backend = $backend;
                    super::$test(&backend, &backend.host().await).await;
                }
            )*
        }
    };
}

contract! {
    what_is_saved_is_read_and_replaced_as_a_whole
    a_list_is_in_the_order_of_names_and_comes_in_pages
    what_is_deleted_is_gone_and_deleting_it_again_is_no_error
    a_blob_is_made_once
    an_update_that_follows_what_it_read_is_written
    of_many_updates_at_once_each_is_counted_or_refused
    a_stream_is_written_and_read_in_pieces
    a_stream_of_a_tool_that_fails_leaves_what_was_there
    json_is_kept_as_json
    odd_names_are_kept_apart_and_listed_as_they_are
    hostile_names_are_refused_before_anything_is_asked
    a_container_is_used_at_run_time
    a_container_refuses_a_write_that_comes_too_late
    what_is_said_about_a_blob_is_found_with_it
    a_container_that_was_never_written_to_is_empty
}

async fn save(host: &Host, name: &str, content: &str) {
    let saved = host.call_text("save_text", json!({ "name": name, "content": content })).await;
    assert_eq!(saved, content);
}

async fn get(host: &Host, name: &str) -> String {
    host.call_text("get_text", json!({ "name": name })).await
}

async fn is_missing(host: &Host, name: &str) -> bool {
    let error = host.call("get_text", json!({ "name": name })).await;
    error["isError"] == true && error["content"][0]["text"] == format!("there is no `{name}`")
}

async fn list(host: &Host, arguments: Value) -> Value {
    let result = host.call("list_blobs", arguments).await;
    assert_ne!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

fn names(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().unwrap_or_else(|| panic!("no list: {list}"));
    items.iter().map(|item| item["name"].as_str().expect("a name")).collect()
}

async fn all_names(host: &Host, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    // An empty value is refused; a missing one has a default, which is all.
    let mut arguments = if prefix.is_empty() { json!({}) } else { json!({ "prefix": prefix }) };
    loop {
        let page = list(host, arguments.clone()).await;
        found.extend(names(&page).into_iter().map(str::to_owned));
        let Some(next) = page["next"].as_str() else { return found };
        arguments["cursor"] = next.into();
    }
}

async fn what_is_saved_is_read_and_replaced_as_a_whole(_: &Backend, host: &Host) {
    assert!(is_missing(host, "a.txt").await);
    for content in ["a longer text", "short", "", "é\u{0}\n"] {
        save(host, "a.txt", content).await;
        assert_eq!(get(host, "a.txt").await, content);
    }
    assert!(is_missing(host, "b.txt").await);
}

async fn a_list_is_in_the_order_of_names_and_comes_in_pages(_: &Backend, host: &Host) {
    let mut all = ["b/c", "a-b", "a0", "a/x/y", "b-", "a/x/z", "a.b", "c", "é", "b/a"];
    for name in all {
        save(host, name, name).await;
    }
    all.sort_unstable();
    let first = list(host, json!({})).await;
    assert_eq!(names(&first), all[..3]);
    let item = &first["items"][0];
    assert_eq!(item["size"], 3);
    assert!(item["modified"].as_str().is_some_and(|at| at.ends_with('Z')), "{item}");
    let mut page = first;
    let mut found: Vec<String> = Vec::new();
    loop {
        found.extend(names(&page).into_iter().map(str::to_owned));
        let Some(next) = page["next"].as_str() else { break };
        page = list(host, json!({ "cursor": next })).await;
    }
    assert_eq!(found, all);
    assert_eq!(all_names(host, "a/x").await, ["a/x/y", "a/x/z"]);
    assert_eq!(all_names(host, "a").await, ["a-b", "a.b", "a/x/y", "a/x/z", "a0"]);
    assert_eq!(all_names(host, "x").await, [""; 0]);
}

async fn what_is_deleted_is_gone_and_deleting_it_again_is_no_error(_: &Backend, host: &Host) {
    save(host, "a/b", "x").await;
    for _ in 0..2 {
        assert_eq!(host.call_text("delete_blob", json!({ "name": "a/b" })).await, "deleted");
        assert!(is_missing(host, "a/b").await);
    }
    assert_eq!(all_names(host, "").await, [""; 0]);
}

async fn a_blob_is_made_once(_: &Backend, host: &Host) {
    host.call_text("create_once", json!({ "name": "a", "content": "first" })).await;
    let error = host.call_error("create_once", json!({ "name": "a", "content": "second" })).await;
    let expected = "output `$return` was not written: there is such a blob already (invocation ";
    assert!(error.starts_with(expected), "{error}");
    assert_eq!(get(host, "a").await, "first");
}

async fn an_update_that_follows_what_it_read_is_written(_: &Backend, host: &Host) {
    for n in 1..=5 {
        assert_eq!(host.call_text("add_one", json!({ "name": "n" })).await, n.to_string());
    }
    assert_eq!(get(host, "n").await, "5");
}

async fn of_many_updates_at_once_each_is_counted_or_refused(_: &Backend, host: &Host) {
    let calls = (0..40).map(|_| host.call("add_one", json!({ "name": "n" })));
    let mut n_counted = 0;
    for result in futures_util::future::join_all(calls).await {
        let text = result["content"][0]["text"].as_str().expect("a text");
        if result["isError"] == true {
            let is_late = text.contains("since input `count` was read (invocation ");
            assert!(is_late, "{text}");
        } else {
            n_counted += 1;
        }
    }
    assert!(n_counted > 0);
    assert_eq!(get(host, "n").await, n_counted.to_string());
}

async fn a_stream_is_written_and_read_in_pieces(_: &Backend, host: &Host) {
    for mib in [0, 1, 12] {
        let arguments = json!({ "name": "big", "mib": mib, "seed": mib });
        let written = host.call("big_write", arguments).await["structuredContent"].clone();
        assert_eq!(written["size"], mib << 20, "{written}");
        let read = host.call("big_read", json!({ "name": "big" })).await;
        assert_eq!(read["structuredContent"], written, "{read}");
    }
}

async fn a_stream_of_a_tool_that_fails_leaves_what_was_there(_: &Backend, host: &Host) {
    let error = host.call_error("fails_after_write", json!({ "name": "a" })).await;
    assert_eq!(error, "it changed its mind");
    assert!(is_missing(host, "a").await);
    save(host, "a", "before").await;
    host.call_error("fails_after_write", json!({ "name": "a" })).await;
    assert_eq!(get(host, "a").await, "before");
    assert_eq!(all_names(host, "").await, ["a"]);
}

async fn json_is_kept_as_json(_: &Backend, host: &Host) {
    for n in 1..=2 {
        let result = host.call("json_blob", json!({ "name": "count" })).await;
        assert_eq!(result["structuredContent"], json!({ "count": n }), "{result}");
    }
    assert_eq!(get(host, "count.json").await, "{\"count\":2}");
    save(host, "count.json", "{").await;
    let error = host.call_error("json_blob", json!({ "name": "count" })).await;
    assert!(error.contains("`stored`") && error.contains("JSON"), "{error}");
}

async fn odd_names_are_kept_apart_and_listed_as_they_are(_: &Backend, host: &Host) {
    let mut odd = [
        "é",
        "a b",
        "a#b",
        "a#1",
        "100%",
        "a~b",
        "..a",
        "a%2Fb",
        "[x]",
        "a*b?",
        "a:b",
        "{x}",
        "a|b",
        "a\"b'",
        "<a>",
        "e\u{301}",
        "日本語",
        "🦀",
        "-rf",
        "a^b`",
        "a&b=c+d",
        "%41",
        "a+b",
    ];
    for name in odd {
        save(host, name, name).await;
    }
    for name in odd {
        assert_eq!(get(host, name).await, name);
    }
    odd.sort_unstable();
    assert_eq!(all_names(host, "").await, odd);
}

async fn hostile_names_are_refused_before_anything_is_asked(_: &Backend, host: &Host) {
    save(host, "kept", "kept").await;
    let long = "x".repeat(1_100);
    for name in ["../x", "a//b", "/a", "a/", "a\\b", "..", "a/../b", "a.", "\u{7}", "", &long] {
        let arguments = json!({ "name": name, "content": "x" });
        let error = host.call_error("save_text", arguments.clone()).await;
        assert!(error.starts_with("argument `name` "), "{name}: {error}");
        let error = host.call_error("container_put", arguments).await;
        assert!(error.contains("the name of the blob "), "{name}: {error}");
    }
    assert_eq!(all_names(host, "").await, ["kept"]);
}

async fn a_container_is_used_at_run_time(_: &Backend, host: &Host) {
    let error = host.call_error("container_get", json!({ "name": "a/b" })).await;
    assert!(error.contains("a/b"), "{error}");
    for (name, content) in [("a/b", "1"), ("a/c", "2"), ("d", "3"), ("a/b", "4")] {
        host.call_text("container_put", json!({ "name": name, "content": content })).await;
    }
    assert_eq!(host.call_text("container_get", json!({ "name": "a/b" })).await, "4");
    let listed = host.call("container_list", json!({ "prefix": "a/" })).await;
    assert!(
        listed.to_string().contains("a/c") && !listed.to_string().contains("\"d\""),
        "{listed}"
    );
    host.call_text("container_delete", json!({ "name": "a/b" })).await;
    host.call_text("container_delete", json!({ "name": "a/b" })).await;
    host.call_error("container_get", json!({ "name": "a/b" })).await;
    // Another container: bindings see nothing of it.
    assert!(is_missing(host, "d").await);
}

async fn a_container_refuses_a_write_that_comes_too_late(_: &Backend, host: &Host) {
    let first = json!({ "name": "a", "content": "1" });
    host.call_text("container_create", first.clone()).await;
    host.call_error("container_create", first).await;
    let calls = (0..20).map(|_| host.call("container_add_one", json!({ "name": "a" })));
    let results = futures_util::future::join_all(calls).await;
    let n_counted = results.iter().filter(|result| result["isError"] != true).count();
    let count = host.call_text("container_get", json!({ "name": "a" })).await;
    assert_eq!(count, (n_counted + 1).to_string(), "{results:?}");
}

async fn what_is_said_about_a_blob_is_found_with_it(_: &Backend, host: &Host) {
    host.call_text("container_put", json!({ "name": "a.md", "content": "# a" })).await;
    let stat = host.call("container_stat", json!({ "name": "a.md" })).await;
    let stat = &stat["structuredContent"];
    assert_eq!(stat["content_type"], "text/markdown", "{stat}");
    assert_eq!(stat["entry"]["size"], 3, "{stat}");
    host.call_error("container_stat", json!({ "name": "b.md" })).await;
}

async fn a_container_that_was_never_written_to_is_empty(_: &Backend, host: &Host) {
    assert_eq!(all_names(host, "").await, [""; 0]);
    let listed = host.call("container_list", json!({})).await;
    assert_ne!(listed["isError"], true, "{listed}");
    let error = host.call_error("big_read", json!({ "name": "a" })).await;
    assert!(error.contains("does not exist"), "{error}");
}
