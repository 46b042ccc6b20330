//! What every storage must do, run on each of them through the registry, as the host does.

mod conditions;
mod lists;
mod probes;
mod streams;

use std::{fs, path::Path, sync::Arc};

use serde_json::{Map, Value as JsonValue, json, value::RawValue};
use tempfile::TempDir;

use super::{
    BindingData, BindingError, Connections, DeclarationError, Found, FoundContent, InputBinding,
    Memory, OutputBinding, Registry, Scope, scope::Root,
};
use crate::function::{BindingDecl, Direction, Origin, Schema, Value};

const ODD: [&str; 24] = [
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
    "%2ea",
    "a:b",
    " a ",
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
    ".mcpfn-x",
];

/// A host's registry over one connection, and the folder it may use.
struct Bench {
    registry: Registry,
    folder: TempDir,
}

impl Bench {
    fn new(
        urls: &[(&str, &str)],
        settings: &'static [(&'static str, &'static str)],
    ) -> Result<Self, DeclarationError> {
        let folder = tempfile::tempdir().unwrap();
        let registry = Registry::new(Connections {
            root: folder.path().to_owned(),
            urls: urls.iter().map(|&(name, url)| (name.to_owned(), url.to_owned())).collect(),
            settings: Arc::new(|name| {
                settings.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
            }),
            headers: Vec::new(),
            memory: Memory::default(),
        })?;
        Ok(Self { registry, folder })
    }

    fn with(url: &str) -> Self {
        Self::new(&[("AzureWebJobsStorage", url)], &[]).unwrap()
    }

    fn input(&self, config: JsonValue) -> Result<Box<dyn InputBinding>, DeclarationError> {
        self.registry.input(
            &declaration("blob", Direction::Input, config),
            &Scope::new(Root::Tool, &schema()),
        )
    }

    fn output(&self, config: JsonValue) -> Result<Box<dyn OutputBinding>, DeclarationError> {
        self.registry.output(
            &declaration("blob", Direction::Output, config),
            &Scope::new(Root::Tool, &schema()),
        )
    }

    async fn save(&self, path: &str, name: &str, value: Value) -> Result<(), BindingError> {
        let output = self.output(json!({"path": path})).unwrap();
        let target = with_name(name, |data| output.resolve(data))?.expect("the argument is there");
        output.write(&target, value.as_bytes(), None).await
    }

    async fn get(&self, path: &str, name: &str) -> Result<Option<Value>, BindingError> {
        let input = self.input(json!({"path": path})).unwrap();
        let target = with_name(name, |data| input.resolve(data))?.expect("the argument is there");
        Ok(input.read(&target).await?.map(whole))
    }

    fn file(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }
}

pub(super) fn declaration(kind: &str, direction: Direction, config: JsonValue) -> BindingDecl {
    let JsonValue::Object(config) = config else { panic!("a declaration is an object") };
    BindingDecl {
        name: "file".to_owned(),
        kind: kind.to_owned(),
        direction,
        config,
        origin: Origin::HostJson,
    }
}

pub(super) fn schema() -> Schema {
    let text = json!({"type": "object", "properties": {"name": {"type": "string"}, "other": {"type": "string"}}});
    Schema::parse_input(text.to_string()).unwrap()
}

pub(super) fn with_name<T>(name: &str, work: impl FnOnce(&BindingData<'_>) -> T) -> T {
    let text = json!({"name": name}).to_string();
    let values: Map<String, JsonValue> = serde_json::from_str(&text).unwrap();
    let text: &RawValue = serde_json::from_str(&text).unwrap();
    work(&BindingData::of_arguments(&values, text))
}

pub(super) fn whole(found: Found) -> Value {
    match found.content {
        FoundContent::Whole(value) => value,
        FoundContent::Stream(_) => panic!("no stream was declared"),
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

const PATH: &str = "snippets/{mcptoolargs.name}.json";

/// Every storage at hand: the contract is the same.
fn storages() -> [Bench; 2] {
    [Bench::with("memory:"), Bench::with("file:./storage")]
}

#[tokio::test]
async fn what_was_saved_is_read_and_replaced_as_a_whole() {
    for bench in storages() {
        assert_eq!(bench.get(PATH, "a").await.unwrap(), None);
        bench.save(PATH, "a", text("a longer text")).await.unwrap();
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("a longer text")));
        bench.save(PATH, "a", text("short")).await.unwrap();
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("short")));
        bench.save(PATH, "a", text("")).await.unwrap();
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("")));
        assert_eq!(bench.get(PATH, "b").await.unwrap(), None);
    }
}

#[tokio::test]
async fn json_is_kept_as_its_text_and_bytes_as_they_are() {
    for bench in storages() {
        bench.save(PATH, "a", Value::Json("{\"x\":1}".to_owned())).await.unwrap();
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("{\"x\":1}")));
        let bytes = vec![0xff, 0x00, 0xfe];
        bench.save(PATH, "a", Value::Bytes(bytes.clone())).await.unwrap();
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(Value::Bytes(bytes)));
    }
}

#[tokio::test]
async fn data_type_binary_gives_bytes_even_of_text() {
    for bench in storages() {
        bench.save(PATH, "a", text("text")).await.unwrap();
        let input = bench.input(json!({"path": PATH, "dataType": "binary"})).unwrap();
        let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
        assert_eq!(
            input.read(&target).await.unwrap().map(whole),
            Some(Value::Bytes(b"text".to_vec()))
        );
    }
}

#[tokio::test]
async fn odd_names_are_kept_apart_and_as_they_are() {
    for bench in storages() {
        for path in [
            PATH,
            "snippets/{mcptoolargs.name}",
            "snippets/{mcptoolargs.name}/x",
            "snippets/x {mcptoolargs.name}",
        ] {
            for name in ODD {
                bench.save(path, name, text(name)).await.unwrap();
            }
            for name in ODD {
                assert_eq!(bench.get(path, name).await.unwrap(), Some(text(name)), "{path} {name}");
            }
            // The next path has files in the place of these folders.
            let storage = bench.file("storage");
            if storage.exists() {
                fs::remove_dir_all(storage).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn files_have_exactly_the_names_and_the_bytes_of_blobs() {
    let bench = Bench::with("file:./storage");
    let mut expected: Vec<String> = ODD.iter().map(|name| format!("{name}.json")).collect();
    for name in ODD {
        bench.save(PATH, name, text(name)).await.unwrap();
        assert_eq!(
            fs::read_to_string(bench.file("storage/snippets").join(format!("{name}.json")))
                .unwrap(),
            name
        );
    }
    let entries = fs::read_dir(bench.file("storage/snippets")).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    expected.extend([".mcpfn-locks".to_owned(), ".mcpfn-staging".to_owned()]);
    expected.sort();
    assert_eq!(names, expected);
}

#[tokio::test]
async fn names_end_where_storages_end() {
    let [memory, folder] = storages();
    let (fits, long) = ("x".repeat(250), "x".repeat(251));
    for bench in [&memory, &folder] {
        bench.save(PATH, &fits, text("a")).await.unwrap();
        assert_eq!(bench.get(PATH, &fits).await.unwrap(), Some(text("a")));
        let path = "snippets/{mcptoolargs.name:path}";
        let error =
            bench.save(path, &vec!["x".repeat(200); 6].join("/"), text("a")).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "argument `name` makes a blob name that is longer than 1024 characters"
        );
        let error = bench.save("snippets/{mcptoolargs.name}", "a.", text("a")).await.unwrap_err();
        assert_eq!(error.to_string(), "argument `name` makes a blob name that ends with a `.`");
    }
    memory.save(PATH, &long, text("a")).await.unwrap();
    let error = folder.save(PATH, &long, text("a")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument `name` makes a blob name that has a path segment longer than 255 bytes"
    );
}

#[tokio::test]
async fn hostile_names_leave_the_storage_as_it_was() {
    for bench in storages() {
        for name in ["../x", "a/b", "..", ".", "", "%2e%2e", "a\\b", "\0", &"x".repeat(2_000)] {
            for path in [PATH, "snippets/{mcptoolargs.name}"] {
                let error = bench.save(path, name, text("a")).await.unwrap_err();
                assert!(
                    matches!(error, BindingError::Argument { argument, .. } if argument == "name")
                );
            }
        }
        assert_eq!(fs::read_dir(bench.folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn text_and_argument_cannot_make_up_what_neither_may_be() {
    let bench = Bench::with("memory:");
    let output = bench.output(json!({"path": "snippets/.{mcptoolargs.name}"})).unwrap();
    for (name, resolves) in
        [("a", true), (".", false), ("..", false), ("...", false), ("..a", true)]
    {
        let target = with_name(name, |data| output.resolve(data));
        assert_eq!(target.is_ok(), resolves, "{name}: {target:?}");
    }
}

#[tokio::test]
async fn a_folder_in_the_place_of_a_blob_is_no_blob() {
    let bench = Bench::with("file:./storage");
    bench.save("snippets/{mcptoolargs.name}/x", "a", text("a")).await.unwrap();
    assert_eq!(bench.get("snippets/{mcptoolargs.name}", "a").await.unwrap(), None);
    assert_eq!(bench.get("snippets/a/x/{mcptoolargs.name}", "y").await.unwrap(), None);
    let error = bench.save("snippets/{mcptoolargs.name}", "a", text("a")).await.unwrap_err();
    assert!(
        matches!(error, BindingError::Storage { ref connection, .. } if connection == "AzureWebJobsStorage")
    );
    assert_eq!(error.public_message(), "the storage of connection `AzureWebJobsStorage` failed");
    let staged = fs::read_dir(bench.file("storage/snippets/.mcpfn-staging")).unwrap();
    assert_eq!(staged.count(), 0, "a failed write leaves nothing behind");
}

#[tokio::test]
async fn a_blob_that_is_too_large_is_not_read() {
    let bench = Bench::with("file:./storage");
    fs::create_dir_all(bench.file("storage/snippets")).unwrap();
    fs::File::create(bench.file("storage/snippets/a.json"))
        .unwrap()
        .set_len((64 << 20) + 1)
        .unwrap();
    let error = bench.get(PATH, "a").await.unwrap_err();
    assert_eq!(error.public_message(), "the blob is larger than 64 MiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_reader_sees_a_part_of_a_write() {
    for bench in storages() {
        let bench = Arc::new(bench);
        let texts = [text(&"a".repeat(300_000)), text(&"b".repeat(200_000))];
        bench.save(PATH, "a", texts[0].clone()).await.unwrap();
        let writer = tokio::spawn({
            let (bench, texts) = (Arc::clone(&bench), texts.clone());
            async move {
                for turn in 0..20 {
                    bench.save(PATH, "a", texts[turn % 2].clone()).await.unwrap();
                }
            }
        });
        while !writer.is_finished() {
            let read = bench.get(PATH, "a").await.unwrap().expect("it was there before");
            assert!(texts.contains(&read));
        }
        writer.await.unwrap();
    }
}

#[cfg(unix)]
#[tokio::test]
async fn other_programs_of_the_machine_may_read_the_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::with("file:./storage");
    bench.save(PATH, "a", text("a")).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::write(bench.file("plain"), "").unwrap();
    assert_eq!(mode(&bench.file("storage/snippets/a.json")), mode(&bench.file("plain")));
}

#[tokio::test]
async fn with_no_connection_at_all_storage_is_a_folder_beside_host_json() {
    let bench = Bench::new(&[], &[]).unwrap();
    assert_eq!(fs::read_dir(bench.folder.path()).unwrap().count(), 0);
    bench.save(PATH, "a", text("a")).await.unwrap();
    assert_eq!(fs::read_to_string(bench.file(".mcpfn/storage/snippets/a.json")).unwrap(), "a");
    bench.output(json!({"path": PATH, "connection": "Storage"})).unwrap();
    bench.output(json!({"path": PATH, "connection": ""})).unwrap();
}

#[tokio::test]
async fn a_connection_to_a_service_takes_no_storage_away() {
    let bench = Bench::new(&[("Weather", "https://api.example/v1")], &[]).unwrap();
    bench.save(PATH, "a", text("a")).await.unwrap();
    assert_eq!(fs::read_to_string(bench.file(".mcpfn/storage/snippets/a.json")).unwrap(), "a");
    let urls = [("Weather", "https://api.example/v1"), ("Store", "memory:")];
    let bench = Bench::new(&urls, &[]).unwrap();
    let error = bench.output(json!({"path": PATH})).unwrap_err().to_string();
    assert!(error.contains("does not exist beside `Store`: define it"), "{error}");
}

#[tokio::test]
async fn whatever_says_where_a_connection_is_has_its_turn_under_each_name() {
    let settings = &[
        ("AzureWebJobsReports", "memory:"),
        ("AzureWebJobsReports__serviceUri", "https://a.blob.core.windows.net"),
        ("AzureWebJobsParts__serviceUri", "https://a.blob.core.windows.net"),
    ];
    let bench = Bench::new(&[], settings).unwrap();
    // The text is found before its parts, which do not go with it.
    let error = bench.input(json!({"path": PATH, "connection": "Reports"})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "connection `Reports`: the setting `AzureWebJobsReports__serviceUri` does not go with a `memory:` connection"
    );
    for name in ["Parts", "AzureWebJobsParts"] {
        let config = json!({"queueName": "jobs", "connection": name});
        let declared = declaration("queue", Direction::Output, config);
        bench.registry.output(&declared, &Scope::new(Root::Tool, &schema())).unwrap();
    }
    let shown = format!("{:?}", bench.registry);
    assert!(shown.contains("\"AzureWebJobsParts\"") && !shown.contains("\"Parts\""), "{shown}");
}

#[tokio::test]
async fn connections_are_found_under_azures_names_and_shared() {
    let urls =
        [("AzureWebJobsOther", "memory:"), ("Absolute", "file:/nowhere"), ("Named", "%Here%")];
    let bench = Bench::new(&urls, &[("Here", "file:here"), ("Setting", "memory:")]).unwrap();
    let output = bench.output(json!({"path": PATH, "connection": "Other"})).unwrap();
    let input = bench.input(json!({"path": PATH, "connection": "AzureWebJobsOther"})).unwrap();
    with_name("a", |data| output.resolve(data)).unwrap().unwrap();
    let target = with_name("a", |data| output.resolve(data)).unwrap().unwrap();
    output.write(&target, b"a", None).await.unwrap();
    let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
    assert_eq!(input.read(&target).await.unwrap().map(whole), Some(text("a")));
    bench.output(json!({"path": PATH, "connection": "Setting"})).unwrap();
    let output = bench.output(json!({"path": PATH, "connection": "Named"})).unwrap();
    let target = with_name("a", |data| output.resolve(data)).unwrap().unwrap();
    output.write(&target, b"a", None).await.unwrap();
    assert!(bench.file("here/snippets/a.json").exists());
}

#[test]
fn declarations_that_cannot_work_are_errors() {
    let urls = [("Store", "memory:")];
    let settings = &[
        ("NoKey", "AccountName=a"),
        ("BadKey", "AccountName=a;AccountKey=?"),
        ("Text", "secret"),
        ("Id__serviceUri", "secret"),
        ("Both", "AccountName=a;AccountKey=YQ=="),
        ("Both__serviceUri", "https://a.blob.core.windows.net"),
        ("Ftp", "BlobEndpoint=ftp://a;AccountKey=YQ=="),
    ];
    let bench = Bench::new(&urls, settings).unwrap();
    let check = |mut config: JsonValue, message: &str| {
        if config.get("connection").is_none() {
            config["connection"] = json!("Store");
        }
        assert_eq!(bench.input(config).unwrap_err().to_string(), message);
    };
    check(json!({}), "`path`: is missing (expected `container/name`)");
    check(json!({"path": 5}), "`path`: expected a string");
    check(json!({"pathh": "a"}), "`pathh`: unknown key (did you mean `path`?)");
    check(
        json!({"xyzzy": "a"}),
        "`xyzzy`: unknown key (expected `path`, `connection`, `dataType`, `operation`, `maxBytes`, `maxItems`, `after`)",
    );
    check(
        json!({"path": "abc/x", "dataType": "text"}),
        "`dataType`: unknown `text` (expected `string`, `binary`, `json`, `stream`)",
    );
    let path = |path: &str, reason: &str| {
        check(json!({"path": path}), &format!("path `{path}`: {reason}"));
    };
    path("", "is empty (expected `container/name`)");
    path("abc", "has no `/` (expected `container/name`)");
    let fixed =
        "the container, the first part of the path, must be fixed: it may hold no expression";
    path("{mcptoolargs.name}/x", fixed);
    path("abc{mcptoolargs.name}/x", fixed);
    path("abc{mcptoolargs.name}", fixed);
    for container in ["ab", "ABC", "a_c", "-abc", "abc-", "a--c", "", "..", "https:", "$logs"] {
        path(
            &format!("{container}/x"),
            &format!(
                "invalid container name `{container}` (expected 3 to 63 of `a` to `z`, `0` to `9` and single `-` \
                 between them)"
            ),
        );
    }
    path("abc/", "the name of a blob is empty");
    path("abc/{mcptoolargs.name=}", "the name of a blob is empty");
    path(
        "abc/a{mcptoolargs.name=.}",
        "the default of `{mcptoolargs.name=.}` at position 6 cannot be part of a path: \
        it has a path segment `.` or `..`",
    );
    path("abc/a{DateTime:'.'yy'.'}", "the name of a blob ends with a `.`");
    path("abc//x", "the name of a blob has an empty path segment");
    path("abc/../x", "the name of a blob has a path segment `.` or `..`");
    path("abc/{mcptoolargs.name}/", "the name of a blob has an empty path segment");
    path("abc/{mcptoolargs.name}.", "the name of a blob ends with a `.`");
    path("abc/a\\b", "the name of a blob holds a `\\`");
    path("abc/a\u{2028}b", "the name of a blob holds a control character");
    path("abc/a\tb", "the name of a blob holds a control character");
    path("abc/{mcptoolargs.nam}", "the function has no argument `nam` (did you mean `name`?)");
    let connection = |name: &str, reason: &str| {
        check(
            json!({"path": "abc/x", "connection": name}),
            &format!("connection `{name}`: {reason}"),
        );
    };
    let define = "define it in `connections` of host.json, as a setting in local.settings.json, or as an environment \
                  variable";
    connection(
        "Stor",
        &format!(
            "storage account connection string `Stor` does not exist (did you mean `Store`?): {define}"
        ),
    );
    connection(
        "AzureWebJobsStorage",
        "is meant where a binding names no connection, and does not exist beside `Store`: define it in `connections` \
         of host.json, such as `\"AzureWebJobsStorage\": { \"url\": \"file:./.mcpfn/storage\" }`",
    );
    connection("NoKey", "the connection string has no `AccountKey` and no `SharedAccessSignature`");
    connection("BadKey", "`AccountKey` is not base64");
    connection("Ftp", "the blob endpoint of the connection string is no http or https address");
    connection(
        "Text",
        "cannot be read (expected `file:PATH`, `memory:`, `s3:`, `s3://BUCKET/FOLDER`, `gs:`, `gs://BUCKET/FOLDER`, \
         `azure://ACCOUNT`, `UseDevelopmentStorage=true` or an Azure connection string)",
    );
    connection("Id", "the setting `Id__serviceUri` is no http or https address");
    connection("Both", "the setting `Both__serviceUri` does not go with a connection string");
}

#[test]
fn a_setting_that_is_no_container_is_not_quoted() {
    let bench = Bench::new(&[], &[("Secret", "AccountName=a;AccountKey=s3/cret==")]).unwrap();
    for path in ["%Secret%/x", "a%Secret%/x", "%Secret%"] {
        let error = bench.input(json!({ "path": path })).unwrap_err().to_string();
        let quoted = path.trim_end_matches("/x");
        let expected = format!("path `{path}`: invalid container name `{quoted}` (expected ");
        assert!(error.starts_with(&expected), "{error}");
        assert!(!error.contains("AccountName") && !error.contains("s3"), "{error}");
    }
}

#[test]
fn connections_of_host_json_that_cannot_work_are_errors_that_hold_no_secret() {
    let check = |url: &str, reason: &str| {
        let error = Bench::new(&[("A", url)], &[]).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), format!("connection `A`: {reason}"));
    };
    check(
        "%Missing%",
        "the setting `Missing` has no value (define it in local.settings.json or the environment)",
    );
    check("file:", "a `file:` connection needs a folder (expected `file:PATH`)");
    check("file://machine/x", "a `file:` connection names no other machine (expected `file:PATH`)");
    for url in [
        "AccountName=a;AccountKey=secret",
        "s3://id:secret@bucket",
        "gs://secret@bucket",
        "azure://a?sv=1&sig=secret",
    ] {
        check(
            url,
            "a key does not belong in host.json: put it into a setting (the whole connection as `%SETTING%`, or the \
             key as `NAME__part`)",
        );
    }
    check("azure://A", "`azure://` needs the name of a storage account and nothing else");
    Bench::with("UseDevelopmentStorage=true");
    Bench::with("file:///nowhere");
    Bench::with("azure://account");
    Bench::with("s3://bucket/folder");
}

#[test]
fn an_unknown_type_is_an_error_with_the_nearest_one() {
    let bench = Bench::with("memory:");
    for (kind, message) in [
        ("blobb", "unknown binding type `blobb` (did you mean `blob`?)"),
        ("table", "unknown binding type `table` (expected `blob`, `http`, `queue`)"),
    ] {
        let declaration = declaration(kind, Direction::Output, json!({}));
        assert_eq!(
            bench
                .registry
                .output(&declaration, &Scope::new(Root::Tool, &schema()))
                .unwrap_err()
                .to_string(),
            message
        );
    }
}

#[test]
fn odd_but_sound_declarations_are_taken() {
    let bench = Bench::new(&[], &[("Container", "from-setting")]).unwrap();
    for path in [
        "%Container%/x",
        "$web/x",
        "$root/x",
        "0ab/{{x}}",
        "abc/{mcptoolargs.NAME}",
        "abc/..x",
        "abc/a/b/c",
    ] {
        bench.input(json!({"path": path, "connection": null, "dataType": "string"})).unwrap();
    }
}
