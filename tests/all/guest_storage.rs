//! What the SDK makes of storage, on a folder.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Host;

/// Grants the container `runtime` to all that open it, but for `container_delete`.
async fn host() -> Host {
    let grant = json!({ "containers": [{ "name": "runtime" }] });
    let granted = ["get", "put", "create", "add_one", "stat", "list"];
    let functions: serde_json::Map<String, Value> =
        granted.iter().map(|name| (format!("container_{name}"), grant.clone())).collect();
    let host_json = json!({ "version": "2.0", "functions": functions });
    Host::builder().programs(&["storage"]).host_json(host_json).start().await
}

async fn structured(host: &Host, tool: &str, arguments: Value) -> Value {
    let result = host.call(tool, arguments).await;
    assert_ne!(result["isError"], true, "{result}");
    result["structuredContent"].clone()
}

#[tokio::test]
async fn what_was_written_in_pieces_is_read_in_pieces() {
    let host = host().await;
    for (name, mib) in [("big", 3), ("empty", 0)] {
        let arguments = json!({ "name": name, "mib": mib, "seed": 7 });
        let written = structured(&host, "big_write", arguments).await;
        assert_eq!(written["size"], mib << 20);
        assert_eq!(structured(&host, "big_read", json!({ "name": name })).await, written);
    }
    let error = host.call_error("fails_after_write", json!({ "name": "f" })).await;
    assert!(error.starts_with("it changed its mind"), "{error}");
    let error = host.call_error("big_read", json!({ "name": "f" })).await;
    assert!(error.starts_with("the blob `file` does not exist"), "{error}");
    assert!(!host.blob("store/f").exists());
}

#[tokio::test]
async fn blobs_are_listed_page_by_page_and_deleted() {
    let host = host().await;
    for name in ["a", "d/1", "d/2", "d/3", "d/4"] {
        host.call_text("save_text", json!({ "name": name, "content": name })).await;
    }
    let names = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().expect("a list");
        items.iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    };
    let first = structured(&host, "list_blobs", json!({})).await;
    assert_eq!(
        (names(&first), &first["next"]),
        (vec!["a".into(), "d/1".into(), "d/2".into()], &json!("d/2"))
    );
    host.call_text("delete_blob", json!({ "name": "d/3" })).await;
    let arguments = json!({ "prefix": "d", "cursor": first["next"] });
    let second = structured(&host, "list_blobs", arguments).await;
    assert_eq!(second["items"].as_array().expect("a list").len(), 1, "{second}");
    assert_eq!((names(&second), &second["next"]), (vec!["d/4".into()], &Value::Null));
    host.call_text("delete_blob", json!({ "name": "d/3" })).await;
}

#[tokio::test]
async fn conditions_and_media_types_reach_the_storage() {
    let host = host().await;
    let arguments = json!({ "name": "once", "content": "1" });
    host.call_text("create_once", arguments.clone()).await;
    let error = host.call_error("create_once", arguments).await;
    assert!(error.contains("there is such a blob already"), "{error}");
    for count in ["1", "2"] {
        assert_eq!(host.call_text("add_one", json!({ "name": "n" })).await, count);
    }
    host.call_text("tagged", json!({ "name": "t", "author": "Ada" })).await;
    let mut beside = fs::read_dir(host.blob("store/.mcpfn-about")).expect("a folder beside");
    let about = beside.next().expect("a file in it").expect("a file in it").path();
    let about = fs::read_to_string(about).expect("a file beside");
    assert!(about.contains("text/markdown") && about.contains("Ada"), "{about}");
}

#[tokio::test]
async fn a_container_is_open_to_those_who_were_granted_it() {
    let host = host().await;
    host.call_text("container_put", json!({ "name": "x/1", "content": "one" })).await;
    let error = host.call_error("container_create", json!({ "name": "x/1", "content": "" })).await;
    assert!(error.starts_with("the blob `x/1` is there already"), "{error}");
    for count in ["1", "2"] {
        assert_eq!(host.call_text("container_add_one", json!({ "name": "n" })).await, count);
    }
    assert_eq!(host.call_text("container_get", json!({ "name": "x/1" })).await, "one");
    let stat = structured(&host, "container_stat", json!({ "name": "x/1" })).await;
    assert_eq!((&stat["entry"]["name"], &stat["entry"]["size"]), (&json!("x/1"), &json!(3)));
    let result = host.call("container_list", json!({})).await;
    assert_eq!(result["structuredContent"], json!(["n", "x/1"]), "{result}");
    let error = host.call_error("container_delete", json!({ "name": "n" })).await;
    assert!(error.starts_with("the container `runtime` is not granted"), "{error}");
}

#[tokio::test]
async fn a_stream_that_host_json_declares_in_another_way_says_so_or_comes_whole() {
    let file = |direction: &str, more: Value| {
        let mut binding =
            json!({ "type": "blob", "name": "file", "path": "store/{mcptoolargs.name}" });
        let members = binding.as_object_mut().expect("an object");
        members.insert("direction".to_owned(), direction.into());
        members.extend(more.as_object().expect("an object").clone());
        json!({ "bindings": [binding] })
    };
    let host_json = json!({ "version": "2.0", "functions": {
        "big_write": file("out", json!({ "dataType": "stream", "maxBytes": 1 << 20 })),
        "fails_after_write": file("out", json!({})),
        "big_read": file("in", json!({ "dataType": "binary" })),
    } });
    let host = Host::builder().programs(&["storage"]).host_json(host_json).start().await;
    let error = host.call_error("big_write", json!({ "name": "a", "mib": 2 })).await;
    assert!(error.starts_with("output `file` was not written: "), "{error}");
    assert!(error.contains("larger than"), "{error}");
    assert!(!host.blob("store/a").exists());
    let written = structured(&host, "big_write", json!({ "name": "a", "mib": 1 })).await;
    assert_eq!(structured(&host, "big_read", json!({ "name": "a" })).await, written);
    let error = host.call_error("fails_after_write", json!({ "name": "b" })).await;
    assert!(error.starts_with("output `file` was not written: it is no stream"), "{error}");
}
