//! Writes that depend on what is there, deletions, and what is said about a blob beside its content.

use std::{fs, sync::Arc};

use serde_json::json;

use super::{Bench, PATH, declaration, schema, storages, text, whole, with_name};
use crate::{
    binding::{BindingError, OutputBinding, Scope, Seen, Version, scope::Root},
    function::{Condition, Container, ContainerDecl, Direction, Origin, StorageError, Value},
};

impl Bench {
    /// The runtime's view of the container that the bindings of these tests use.
    pub(super) fn container(&self) -> Arc<dyn Container> {
        let declared = ContainerDecl { name: "snippets".to_owned(), connection: None };
        self.registry.container(&declared).unwrap()
    }

    async fn write(
        &self,
        output: &dyn OutputBinding,
        content: &str,
        seen: Option<&Seen>,
    ) -> Result<(), BindingError> {
        let target = with_name("a", |data| output.resolve(data)).unwrap().unwrap();
        output.write(&target, content.as_bytes(), seen).await
    }
}

/// A function with an input `note` and an output that is written only while the note is what it read.
fn optimistic(bench: &Bench) -> Box<dyn OutputBinding> {
    let input = declaration("blob", Direction::Input, json!({ "path": PATH }));
    let mut output =
        declaration("blob", Direction::Output, json!({ "path": PATH, "ifMatch": "note" }));
    output.name = "$return".to_owned();
    let mut note = input;
    note.name = "note".to_owned();
    let schema = schema();
    let scope = Scope::new(Root::Tool, &schema);
    let bindings = [note, output.clone()];
    let scope = scope.with_bindings(&bindings);
    bench.registry.output(&output, &scope).unwrap()
}

async fn version(bench: &Bench) -> Seen {
    let input = bench.input(json!({ "path": PATH })).unwrap();
    let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
    match input.read(&target).await.unwrap() {
        None => Seen::Nothing,
        Some(found) => Seen::Version(found.version.expect("every storage here has versions")),
    }
}

#[tokio::test]
async fn a_blob_is_made_once_where_it_may_not_be_overwritten() {
    for bench in storages() {
        for key in [json!({"overwrite": false}), json!({"ifNoneMatch": "*"})] {
            let mut config = json!({ "path": PATH });
            config.as_object_mut().unwrap().extend(key.as_object().unwrap().clone());
            let output = bench.output(config).unwrap();
            bench.write(&*output, "first", None).await.unwrap();
            let error = bench.write(&*output, "second", None).await.unwrap_err();
            assert_eq!(error.public_message(), "there is such a blob already");
            assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("first")));
            bench.container().delete("a.json").await.unwrap();
        }
    }
}

#[tokio::test]
async fn an_update_is_refused_once_the_blob_is_another() {
    for bench in storages() {
        let output = optimistic(&bench);
        assert_eq!(output.follows(), Some("note"));
        let nothing = version(&bench).await;
        bench.write(&*output, "1", Some(&nothing)).await.unwrap();
        let error = bench.write(&*output, "x", Some(&nothing)).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob was made since input `note` was read");
        let first = version(&bench).await;
        bench.write(&*output, "2", Some(&first)).await.unwrap();
        let error = bench.write(&*output, "x", Some(&first)).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob has changed since input `note` was read");
        let second = version(&bench).await;
        bench.container().delete("a.json").await.unwrap();
        let error = bench.write(&*output, "x", Some(&second)).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob has changed since input `note` was read");
        assert_eq!(bench.get(PATH, "a").await.unwrap(), None);
    }
}

#[tokio::test]
async fn the_same_content_twice_is_two_versions() {
    for bench in storages() {
        let mut versions = Vec::new();
        for _ in 0..50 {
            bench.save(PATH, "a", text("the same")).await.unwrap();
            let Seen::Version(Version(version)) = version(&bench).await else {
                panic!("it was written")
            };
            assert!(!versions.contains(&version), "{version} came back");
            versions.push(version);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_that_make_a_blob_at_once_one_does() {
    for bench in storages() {
        let bench = Arc::new(bench);
        let racers: Vec<_> = (0..40)
            .map(|racer| {
                let bench = Arc::clone(&bench);
                tokio::spawn(async move {
                    let output = bench.output(json!({ "path": PATH, "overwrite": false })).unwrap();
                    bench.write(&*output, &racer.to_string(), None).await.is_ok()
                })
            })
            .collect();
        let mut winners = Vec::new();
        for (racer, done) in racers.into_iter().enumerate() {
            if done.await.unwrap() {
                winners.push(racer);
            }
        }
        assert_eq!(winners.len(), 1, "{winners:?}");
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text(&winners[0].to_string())));
    }
}

#[tokio::test]
async fn a_deletion_is_the_same_whether_or_not_there_is_a_blob() {
    for bench in storages() {
        bench.save(PATH, "a", text("x")).await.unwrap();
        let output = bench.output(json!({ "path": PATH, "operation": "delete" })).unwrap();
        for _ in 0..2 {
            bench.write(&*output, "whatever", None).await.unwrap();
            assert_eq!(bench.get(PATH, "a").await.unwrap(), None);
        }
    }
}

#[tokio::test]
async fn a_folder_is_gone_with_its_last_blob_and_its_name_free() {
    let bench = Bench::with("file:./storage");
    bench.save("snippets/{mcptoolargs.name}/b/c", "a", text("x")).await.unwrap();
    bench.save("snippets/{mcptoolargs.name}/d", "a", text("x")).await.unwrap();
    let container = bench.container();
    container.delete("a/b/c").await.unwrap();
    assert!(
        !bench.file("storage/snippets/a/b").exists() && bench.file("storage/snippets/a").exists()
    );
    container.delete("a/d").await.unwrap();
    bench.save("snippets/{mcptoolargs.name}", "a", text("x")).await.unwrap();
    assert_eq!(fs::read_to_string(bench.file("storage/snippets/a")).unwrap(), "x");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_to_a_folder_is_not_replaced_by_a_blob() {
    let bench = Bench::with("file:./storage");
    fs::create_dir_all(bench.file("outside")).unwrap();
    fs::write(bench.file("outside/f.json"), "theirs").unwrap();
    fs::create_dir_all(bench.file("storage/snippets")).unwrap();
    std::os::unix::fs::symlink(bench.file("outside"), bench.file("storage/snippets/a.json"))
        .unwrap();
    let error = bench.save(PATH, "a", text("ours")).await.unwrap_err();
    assert!(matches!(error, BindingError::Storage { .. }), "{error:?}");
    let read = bench.get("snippets/a.json/{mcptoolargs.name}.json", "f").await.unwrap();
    assert_eq!(read, Some(text("theirs")));
}

#[tokio::test]
async fn what_is_said_about_a_blob_stays_with_it_and_goes_with_it() {
    for bench in storages() {
        let container = bench.container();
        let config = json!({
            "path": PATH,
            "contentType": "text/x-note; charset=utf-8",
            "metadata": { "Author": "{mcptoolargs.name} \"x\"", "fixed": "y", "left_out": "{mcptoolargs.other}" },
        });
        let output = bench.output(config).unwrap();
        bench.write(&*output, "1", None).await.unwrap();
        let details = container.stat("a.json").await.unwrap();
        assert_eq!(details.content_type.as_deref(), Some("text/x-note; charset=utf-8"));
        let mut metadata = details.metadata;
        metadata.sort();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(metadata, [pair("author", "a \"x\""), pair("fixed", "y")]);
        assert_eq!((details.entry.name.as_str(), details.entry.size), ("a.json", 1));
        // Another write says nothing but what the name says.
        bench.save(PATH, "a", text("2")).await.unwrap();
        let details = container.stat("a.json").await.unwrap();
        assert_eq!(details.content_type.as_deref(), Some("application/json"));
        assert_eq!(details.metadata, []);
        assert_eq!(container.stat("b.json").await, Err(StorageError::NotFound));
    }
}

#[tokio::test]
async fn what_another_program_wrote_is_not_what_was_said_of_the_blob_before() {
    let bench = Bench::with("file:./storage");
    let output = bench.output(json!({ "path": PATH, "metadata": { "author": "host" } })).unwrap();
    bench.write(&*output, "1", None).await.unwrap();
    fs::write(bench.file("storage/snippets/a.json"), "2").unwrap();
    let details = bench.container().stat("a.json").await.unwrap();
    assert_eq!(details.metadata, []);
}

#[tokio::test]
async fn metadata_that_no_header_can_carry_is_refused() {
    for bench in storages() {
        let output = bench
            .output(json!({ "path": "snippets/x", "metadata": { "author": "{mcptoolargs.name}" } }))
            .unwrap();
        let error = with_name("é", |data| output.resolve(data)).unwrap_err();
        assert_eq!(
            error.public_message(),
            "metadata `author` is not ASCII, and storages take nothing else"
        );
        assert!(with_name("a\nb", |data| output.resolve(data)).is_err());
    }
}

#[tokio::test]
async fn sizes_are_limited_by_the_declaration() {
    for bench in storages() {
        let output = bench.output(json!({ "path": PATH, "maxBytes": 4 })).unwrap();
        bench.write(&*output, "1234", None).await.unwrap();
        let error = bench.write(&*output, "12345", None).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob is larger than 4 bytes");
        let input = bench.input(json!({ "path": PATH, "maxBytes": 3 })).unwrap();
        let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
        let error = input.read(&target).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob is larger than 3 bytes");
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("1234")));
    }
}

#[tokio::test]
async fn json_is_read_as_json_or_not_at_all() {
    for bench in storages() {
        let input = bench.input(json!({ "path": PATH, "dataType": "json" })).unwrap();
        let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
        bench.save(PATH, "a", text("{\"a\": [1.50]}")).await.unwrap();
        let found = input.read(&target).await.unwrap().map(whole);
        assert_eq!(found, Some(Value::Json("{\"a\": [1.50]}".to_owned())));
        for broken in ["{", "", "1 2"] {
            bench.save(PATH, "a", text(broken)).await.unwrap();
            let error = input.read(&target).await.unwrap_err().public_message();
            assert!(error.starts_with("the blob is not JSON: "), "{error}");
        }
        bench.save(PATH, "a", Value::Bytes(vec![0xff])).await.unwrap();
        let error = input.read(&target).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob is not JSON: it is not UTF-8 text");
    }
}

#[tokio::test]
async fn a_container_does_at_run_time_what_bindings_do() {
    for bench in storages() {
        let container = bench.container();
        assert_eq!(container.get("a/b").await, Err(StorageError::NotFound));
        let first = container.put("a/b", b"1".to_vec(), Condition::Absent).await.unwrap().unwrap();
        let again = container.put("a/b", b"2".to_vec(), Condition::Absent).await;
        assert_eq!(again, Err(StorageError::Conflict));
        let second = Condition::Unchanged(first.clone());
        container.put("a/b", b"2".to_vec(), second).await.unwrap();
        let stale = container.put("a/b", b"3".to_vec(), Condition::Unchanged(first)).await;
        assert_eq!(stale, Err(StorageError::Conflict));
        assert_eq!(container.get("a/b").await.unwrap(), b"2");
        let details = container.stat("a/b").await.unwrap();
        assert_eq!(details.entry.size, 1);
        assert!(details.entry.modified_ms.is_some() && details.entry.etag.is_some());
        container.delete("a/b").await.unwrap();
        container.delete("a/b").await.unwrap();
        for hostile in ["", "..", "a/../b", "/a", "a/", "a\\b", "a//b", "a.", ".mcpfn-locks/x"] {
            let error = container.get(hostile).await.unwrap_err();
            let StorageError::Other(reason) = error else { panic!("{hostile}: {error:?}") };
            assert!(reason.starts_with("the name of the blob "), "{hostile}: {reason}");
        }
    }
}

#[test]
fn containers_have_the_names_that_paths_have() {
    let bench = Bench::with("memory:");
    for name in ["", "..", "A", "a", "a/b", "-ab"] {
        let declared = ContainerDecl { name: name.to_owned(), connection: None };
        let error = bench.registry.container(&declared).unwrap_err().to_string();
        assert!(error.starts_with("`containers`: invalid container name"), "{error}");
    }
}

#[test]
fn conditions_that_cannot_hold_are_errors() {
    let bench = Bench::with("memory:");
    let output = |config: serde_json::Value| {
        let mut whole = json!({ "path": PATH });
        whole.as_object_mut().unwrap().extend(config.as_object().unwrap().clone());
        bench.output(whole).unwrap_err().to_string()
    };
    for (config, message) in [
        (json!({"overwrite": "no"}), "`overwrite`: expected `true` or `false`"),
        (
            json!({"ifNoneMatch": "abc"}),
            "`ifNoneMatch`: expected `*`, which is no version at all, not `abc`",
        ),
        (
            json!({"ifMatch": "a", "overwrite": false}),
            "`ifMatch`: one condition is enough (remove `ifMatch`, or `ifNoneMatch` and `overwrite`)",
        ),
        (json!({"ifMatch": "a"}), "`ifMatch`: the function has no input `a`"),
        (
            json!({"overwrite": false, "dataType": "stream"}),
            "`dataType`: a stream is written under no condition (remove `overwrite`, `ifNoneMatch` and `ifMatch`, or \
             `\"dataType\": \"stream\"`)",
        ),
        (json!({"operation": "list"}), "`operation`: unknown `list` (expected `write`, `delete`)"),
        (
            json!({"operation": "delete", "contentType": "text/plain"}),
            "`contentType`: a deletion has none",
        ),
        (
            json!({"contentType": "text"}),
            "`contentType`: media type `text` is none (expected something like `text/plain`)",
        ),
        (json!({"metadata": "a"}), "`metadata`: expected an object of names and texts"),
        (json!({"metadata": {"a": 1}}), "`metadata`: `a` is not a text"),
        (
            json!({"metadata": {"a-b": ""}}),
            "`metadata`: `a-b` is no name (expected letters, digits and `_`)",
        ),
        (
            json!({"metadata": {"a": "", "A": ""}}),
            "`metadata`: `a` is there twice (case is ignored)",
        ),
        (json!({"maxBytes": 0}), "`maxBytes`: expected a number from 1 to 67108864"),
    ] {
        assert_eq!(output(config), message);
    }
}

#[test]
fn an_update_may_name_the_same_place_in_other_words() {
    let bench = Bench::with("memory:");
    let mut note = declaration(
        "blob",
        Direction::Input,
        json!({ "path": PATH, "connection": "AzureWebJobsStorage", "operation": null }),
    );
    note.name = "note".to_owned();
    let output = declaration(
        "blob",
        Direction::Output,
        json!({ "path": PATH, "connection": "", "ifMatch": "note" }),
    );
    let (schema, bindings) = (schema(), [note]);
    let scope = Scope::new(Root::Tool, &schema).with_bindings(&bindings);
    bench.registry.output(&output, &scope).unwrap();
}

#[test]
fn an_update_has_a_place_that_is_the_same_for_reading_and_writing() {
    let bench = Bench::with("memory:");
    let path = "snippets/{rand-guid}";
    let mut note = declaration("blob", Direction::Input, json!({ "path": path }));
    note.name = "note".to_owned();
    let output = declaration("blob", Direction::Output, json!({ "path": path, "ifMatch": "note" }));
    let (schema, bindings) = (schema(), [note]);
    let scope = Scope::new(Root::Tool, &schema).with_bindings(&bindings);
    assert_eq!(
        bench.registry.output(&output, &scope).unwrap_err().to_string(),
        "`ifMatch`: the path is another one each time, so nothing at it can have changed"
    );
}

#[tokio::test]
async fn where_no_version_is_told_no_update_is_made() {
    for bench in storages() {
        let output = optimistic(&bench);
        let error = bench.write(&*output, "x", Some(&Seen::Unversioned)).await.unwrap_err();
        assert_eq!(
            error.public_message(),
            "the storage tells no version of what input `note` read"
        );
        assert_eq!(bench.get(PATH, "a").await.unwrap(), None);
    }
}

#[test]
fn a_component_puts_no_setting_into_a_name_or_a_text() {
    let bench = Bench::new(&[], &[("Secret", "s3cret")]).unwrap();
    for (key, config) in [
        ("path", json!({ "path": "snippets/%Secret%" })),
        ("path", json!({ "path": "snippets/a%b" })),
        ("metadata", json!({ "path": "snippets/a", "metadata": { "a": "%Secret%" } })),
    ] {
        let mut declared = declaration("blob", Direction::Output, config.clone());
        declared.origin = Origin::Component;
        let schema = schema();
        let scope = Scope::new(Root::Tool, &schema);
        assert_eq!(
            bench.registry.output(&declared, &scope).unwrap_err().to_string(),
            format!(
                "`{key}`: a component names no setting, so it holds no `%` (declare the binding in host.json)"
            )
        );
        if !config.to_string().contains("a%b") {
            declared.origin = Origin::HostJson;
            bench.registry.output(&declared, &scope).unwrap();
        }
    }
}

#[test]
fn an_update_follows_an_input_of_the_same_blob() {
    let bench = Bench::with("memory:");
    let mut note =
        declaration("blob", Direction::Input, json!({ "path": "snippets/{mcptoolargs.other}" }));
    note.name = "note".to_owned();
    let output = declaration("blob", Direction::Output, json!({ "path": PATH, "ifMatch": "note" }));
    let schema = schema();
    let bindings = [note];
    let scope = Scope::new(Root::Tool, &schema).with_bindings(&bindings);
    assert_eq!(
        bench.registry.output(&output, &scope).unwrap_err().to_string(),
        "`ifMatch`: the input `note` does not read the blob that is written here"
    );
}
