//! Declared blobs: what is read and written, under which name, and what can never be reached.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::json;

use crate::harness::Host;

/// Every file below a folder with its content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(
                    path.display().to_string(),
                    fs::read(&path).expect("a file can be read"),
                );
            }
        }
    }
    found
}

#[tokio::test]
async fn what_is_saved_is_on_disk_exactly_and_survives_a_restart() {
    let host = Host::start(&["snippets"]).await;
    let saved = host
        .call_text("save_snippet", json!({ "snippetname": "hello", "snippet": "fn main() {}\n" }))
        .await;
    assert_eq!(saved, "fn main() {}\n");
    assert_eq!(fs::read(host.blob("snippets/hello.json")).expect("the blob"), b"fn main() {}\n");
    let (status, stopped) = host.stop().await;
    assert!(status.success(), "{status}");
    let host = stopped.start().await;
    assert_eq!(
        host.call_text("get_snippets", json!({ "snippetname": "hello" })).await,
        "fn main() {}\n"
    );
}

#[tokio::test]
async fn a_missing_blob_is_none_to_the_tool() {
    let host = Host::start(&["snippets"]).await;
    assert_eq!(
        host.call_text("get_snippets", json!({ "snippetname": "x" })).await,
        "Snippet 'x' not found"
    );
}

#[tokio::test]
async fn a_named_output_and_the_answer_are_two_texts() {
    let host = Host::start(&["snippets"]).await;
    let answer =
        host.call_text("saveSnippets", json!({ "snippetName": "two", "snippet": "12345" })).await;
    assert_eq!(answer, "Successfully saved snippet 'two' with 5 characters.");
    assert_eq!(fs::read(host.blob("snippets/two.json")).expect("the blob"), b"12345");
}

#[tokio::test]
async fn hostile_values_of_a_path_argument_are_tool_errors_and_touch_nothing() {
    let host = Host::start(&["snippets"]).await;
    host.call_text("save_snippet", json!({ "snippetname": "kept", "snippet": "kept" })).await;
    let before = files(host.folder());
    let long = "a".repeat(2000);
    let hostile = [
        "../x",
        "a/b",
        "a\\b",
        ".",
        "..",
        "",
        "/",
        "/etc/passwd",
        "..\\x",
        "%2e%2e",
        "a/../../b",
        "\0",
        "a\0b",
        "a\nb",
        "\r",
        "\t",
        "\u{7f}",
        "\u{85}",
        &long,
        "../../host",
        "snippets/../../x",
    ];
    assert_eq!(hostile.len(), 21);
    for value in hostile {
        for (tool, arguments) in [
            ("save_snippet", json!({ "snippetname": value, "snippet": "stray" })),
            ("get_snippets", json!({ "snippetname": value })),
        ] {
            let error = host.call_error(tool, arguments).await;
            assert!(error.starts_with("argument `snippetname` "), "{value:?}: {error}");
        }
    }
    assert_eq!(files(host.folder()), before);
}

#[tokio::test]
async fn odd_legal_names_are_kept_as_they_are() {
    let host = Host::start(&["snippets", "odd_blobs"]).await;
    let odd = [
        "é", "a b", "a#b", "100%", "a~b", "..a", "a%2Fb", "[x]", "a*b?", "%2ea", "a..b", " x",
        "日本", "a|b", "<a>", "a:b", "\"q\"", "'q'", "a&b=c", "{x}",
    ];
    assert_eq!(odd.len(), 20);
    for name in odd {
        let text = format!("text of {name}");
        host.call_text("save_snippet", json!({ "snippetname": name, "snippet": text })).await;
        assert_eq!(host.call_text("get_snippets", json!({ "snippetname": name })).await, text);
        assert_eq!(
            fs::read_to_string(host.blob(&format!("snippets/{name}.json"))).expect(name),
            text
        );
        host.call_text("put_blob", json!({ "name": name, "content": text })).await;
        assert_eq!(host.call_text("read_blob", json!({ "name": name })).await, text);
        assert_eq!(fs::read_to_string(host.blob(&format!("odd/{name}"))).expect(name), text);
    }
}

#[tokio::test]
async fn a_name_that_storage_cannot_hold_is_refused_before_the_guest_runs() {
    let host = Host::start(&["odd_blobs"]).await;
    for name in ["a.", &"é".repeat(128)] {
        let error = host.call_error("put_blob", json!({ "name": name, "content": "x" })).await;
        assert!(error.starts_with("argument `name` "), "{name}: {error}");
    }
    assert!(!host.blob("odd").exists());
}

#[tokio::test]
async fn a_default_in_host_json_takes_the_place_of_a_missing_argument() {
    let host_json = json!({ "version": "2.0", "functions": { "writes_maybe": { "bindings": [
        { "type": "blob", "direction": "out", "name": "file",
          "path": "outputs/{mcptoolargs.maybe=none}-{sys.methodname}-{DateTime:yyyy'x'}" } ] } } });
    let host = Host::builder().programs(&["named_outputs"]).host_json(host_json).start().await;
    host.call_text("writes_maybe", json!({ "set": true })).await;
    host.call_text("writes_maybe", json!({ "maybe": "some", "set": true })).await;
    let entries = fs::read_dir(host.blob("outputs")).expect("there is a folder");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name is text"))
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    for (name, value) in names.iter().zip(["none", "some"]) {
        let year = name.strip_prefix(&format!("{value}-writes_maybe-")).expect(name);
        assert!(year.len() == 5 && year.starts_with("20") && year.ends_with('x'), "{name}");
    }
    assert_eq!(names.len(), 2, "{names:?}");
}

#[tokio::test]
async fn a_binding_in_host_json_replaces_the_components() {
    let host = Host::builder()
        .programs(&["snippets"])
        .host_json(json!({
            "version": "2.0",
            "connections": { "Elsewhere": { "url": "file:./elsewhere" } },
            "functions": { "save_snippet": { "bindings": [
                { "type": "blob", "direction": "out", "name": "$return", "connection": "Elsewhere",
                  "path": "other/{mcptoolargs.snippetname}.txt" } ] } }
        }))
        .environment("AzureWebJobsStorage", "memory:")
        .start()
        .await;
    host.call_text("save_snippet", json!({ "snippetname": "a", "snippet": "moved" })).await;
    assert_eq!(fs::read(host.folder().join("elsewhere/other/a.txt")).expect("the blob"), b"moved");
}

#[tokio::test]
async fn a_setting_in_a_path_is_resolved_and_a_value_that_looks_like_one_is_not() {
    let host = Host::builder()
        .programs(&["snippets"])
        .host_json(json!({ "version": "2.0", "functions": { "save_snippet": { "bindings": [
            { "type": "blob", "direction": "out", "name": "$return", "path": "%Place%/{mcptoolargs.snippetname}" } ] } } }))
        .file("local.settings.json", json!({ "Values": { "Place": "from-settings" } }).to_string())
        .start()
        .await;
    host.call_text("save_snippet", json!({ "snippetname": "%Place%", "snippet": "x" })).await;
    assert_eq!(fs::read(host.blob("from-settings/%Place%")).expect("the blob"), b"x");
}

#[tokio::test]
async fn bytes_go_to_a_blob_and_back() {
    let host = Host::start(&["bytes_blob"]).await;
    host.call("put_bytes", json!({ "name": "b", "bytes": [0, 255, 10, 13] })).await;
    assert_eq!(fs::read(host.blob("bytes/b")).expect("the blob"), [0, 255, 10, 13]);
    assert_eq!(host.call_text("get_bytes", json!({ "name": "b" })).await, "Some([0, 255, 10, 13])");
}

#[tokio::test]
async fn a_value_goes_to_a_blob_as_its_json() {
    let host = Host::start(&["json_blob"]).await;
    assert_eq!(host.call_text("count_up", json!({ "name": "j" })).await, "1");
    assert_eq!(host.call_text("count_up", json!({ "name": "j" })).await, "2");
    let stored = fs::read_to_string(host.blob("counters/j.json")).expect("the blob");
    assert_eq!(stored, r#"{"name":"j","count":2}"#);
    let counter = host.call("read_counter", json!({ "name": "j" })).await;
    assert_eq!(counter["structuredContent"], json!({ "name": "j", "count": 2 }));
    assert_eq!(fs::read_to_string(host.blob("counters/j.copy.json")).expect("the copy"), stored);
}

#[tokio::test]
async fn outputs_are_written_only_where_they_were_set() {
    let host = Host::start(&["named_outputs"]).await;
    host.call("writes_two", json!({ "name": "n", "first": "1" })).await;
    assert_eq!(fs::read(host.blob("outputs/n.first")).expect("the blob"), b"1");
    assert!(!host.blob("outputs/n.second").exists());
    host.call("writes_two", json!({ "name": "n", "first": "1", "second": "2" })).await;
    assert_eq!(fs::read(host.blob("outputs/n.second")).expect("the blob"), b"2");
}

#[tokio::test]
async fn what_is_returned_and_a_named_output_are_both_written() {
    let host = Host::start(&["named_outputs"]).await;
    host.call_text("writes_return_and_copy", json!({ "name": "n", "text": "both" })).await;
    assert_eq!(fs::read(host.blob("outputs/n.return")).expect("the blob"), b"both");
    assert_eq!(fs::read(host.blob("outputs/n.copy")).expect("the blob"), b"both");
}

#[tokio::test]
async fn an_output_without_a_place_fails_only_when_it_is_set() {
    let host = Host::start(&["named_outputs"]).await;
    host.call_text("writes_maybe", json!({ "set": false })).await;
    for arguments in [json!({ "set": true }), json!({ "set": true, "maybe": null })] {
        let error = host.call_error("writes_maybe", arguments).await;
        assert!(
            error.starts_with("output `file` was not written: an argument in its path is missing"),
            "{error}"
        );
    }
    host.call_text("writes_maybe", json!({ "set": true, "maybe": "m" })).await;
    assert_eq!(fs::read(host.blob("outputs/m")).expect("the blob"), b"set");
}

#[tokio::test]
async fn a_first_output_that_was_written_is_named_when_the_second_fails() {
    let host = Host::start(&["named_outputs"]).await;
    // A folder in the way of the second blob, with something in it.
    fs::create_dir_all(host.blob("outputs/n.second")).expect("a folder");
    fs::write(host.blob("outputs/n.second/x"), "").expect("a file");
    let error =
        host.call_error("writes_two", json!({ "name": "n", "first": "1", "second": "2" })).await;
    assert!(error.starts_with("output `two` was not written: "), "{error}");
    assert!(error.contains("; already written: `one`"), "{error}");
}

#[tokio::test]
async fn an_error_of_the_tool_writes_no_output() {
    let host = Host::start(&["fails"]).await;
    assert_eq!(host.call_error("fails", json!({ "message": "no" })).await, "no");
    assert_eq!(host.call_error("replies_with_error", json!({ "message": "no" })).await, "no");
    assert!(!host.blob("failures").exists());
    host.call_text("fails", json!({})).await;
    assert!(host.blob("failures/written.txt").exists());
}

#[tokio::test]
async fn one_image_is_written_as_its_bytes_and_two_blocks_are_an_error() {
    let host = Host::start(&["blocks"]).await;
    host.call("writes_image", json!({})).await;
    assert!(fs::read(host.blob("blocks/image.png")).expect("the blob").starts_with(b"\x89PNG"));
    let error = host.call_error("writes_two_blocks", json!({})).await;
    assert!(error.starts_with("output `$return` was not written: "), "{error}");
    assert!(!host.blob("blocks/two").exists());
}

#[tokio::test]
async fn a_path_argument_may_have_slashes_only_where_the_template_says_so() {
    let host = Host::start(&["odd_blobs"]).await;
    host.call_text("put_deep_blob", json!({ "name": "a/b/c", "content": "deep" })).await;
    assert_eq!(fs::read(host.blob("odd/deep/a/b/c")).expect("the blob"), b"deep");
    for name in ["a/../b", "../a", "/a", "a/", "a//b", "./a", "a/.."] {
        let error = host.call_error("put_deep_blob", json!({ "name": name, "content": "x" })).await;
        assert!(error.starts_with("argument `name` "), "{name}: {error}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn storage_that_is_no_folder_is_a_tool_error_and_the_next_call_works() {
    let host = Host::start(&["snippets"]).await;
    let storage = host.blob("");
    fs::create_dir_all(storage.parent().expect("a parent")).expect("a folder");
    fs::write(storage.to_string_lossy().trim_end_matches('/'), "in the way").expect("a file");
    let error =
        host.call_error("save_snippet", json!({ "snippetname": "a", "snippet": "x" })).await;
    assert!(
        error.contains("output `$return` was not written: the storage of connection"),
        "{error}"
    );
    fs::remove_file(storage.to_string_lossy().trim_end_matches('/')).expect("it is removed");
    assert_eq!(
        host.call_text("save_snippet", json!({ "snippetname": "a", "snippet": "x" })).await,
        "x"
    );
}
