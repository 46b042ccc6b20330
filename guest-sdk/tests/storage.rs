//! What a function declares of its storage, and what it gets and gives when the host calls it.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{self, Read, Write};

use mcpfn_sdk::{
    BlobList, BlobReader, BlobWriter, Container, ContainerError, Delete, Out, ToolContext,
    blob_container, blob_input, blob_output, mcp_prompt, mcp_resource, mcp_tool,
    runtime::Function,
    serde_json::{self, Value, json},
    testing::{self, Call},
    wit::{self, Direction, Outcome},
};

fn config<F: Function>(binding: &str) -> String {
    let function = testing::describe::<F>();
    let found = function.bindings.into_iter().find(|own| own.name == binding).unwrap();
    assert_eq!(found.kind, "blob");
    found.config
}

fn containers<F: Function>() -> Option<String> {
    let options = testing::describe::<F>().options;
    let found = options.into_iter().find(|option| option.name == "containers")?;
    match found.value {
        wit::Value::Json(json) => Some(json),
        other => panic!("no JSON: {other:?}"),
    }
}

/// Has every form.
#[mcp_tool]
#[blob_input(name = "above", path = "box/f")]
#[blob_output(path = "box/r", content_type = "text/plain", max_bytes = 10)]
fn forms(
    name: String,
    cursor: Option<String>,
    author: Option<String>,
    #[blob_input(path = "box/a", max_bytes = 1048576)] text: Option<String>,
    #[blob_input(path = "box/b")] bytes: Option<Vec<u8>>,
    #[blob_input(path = "box/c", connection = "Other")] stream: Option<BlobReader>,
    #[blob_input(
        path = "box/{mcptoolargs.name=a:b}/",
        max_items = 2,
        after = "{mcptoolargs.cursor}"
    )]
    list: Option<BlobList>,
    #[blob_input(path = "box/e")] json: Option<Value>,
    above: Option<BlobReader>,
    #[blob_output(
        path = "box/a",
        if_match = "text",
        metadata(by = "{mcptoolargs.author}", v = "1")
    )]
    changed: Out<String>,
    #[blob_output(path = "box/b", overwrite = false)] made: Out<Vec<u8>>,
    #[blob_output(path = "box/c", max_bytes = 5)] pieces: BlobWriter,
    #[blob_output(path = "box/d")] gone: Out<Delete>,
) -> String {
    assert!(text.is_none() && bytes.is_none() && stream.is_none() && list.is_none());
    assert!(json.is_none() && above.is_none() && changed.get().is_none() && made.get().is_none());
    assert!(pieces.written().is_none() && !gone.is_deleted());
    String::new()
}

#[test]
fn the_declaration_says_what_the_keys_and_the_types_say() {
    let cases = [
        ("above", r#"{"path":"box/f","dataType":"stream"}"#),
        ("$return", r#"{"path":"box/r","maxBytes":10,"contentType":"text/plain"}"#),
        ("text", r#"{"path":"box/a","maxBytes":1048576}"#),
        ("bytes", r#"{"path":"box/b","dataType":"binary"}"#),
        ("stream", r#"{"path":"box/c","connection":"Other","dataType":"stream"}"#),
        (
            "list",
            r#"{"path":"box/{mcptoolargs.name=a:b}/","maxItems":2,"after":"{mcptoolargs.cursor}","operation":"list"}"#,
        ),
        ("json", r#"{"path":"box/e"}"#),
        (
            "changed",
            r#"{"path":"box/a","metadata":{"by":"{mcptoolargs.author}","v":"1"},"ifMatch":"text"}"#,
        ),
        ("made", r#"{"path":"box/b","overwrite":false}"#),
        ("pieces", r#"{"path":"box/c","maxBytes":5,"dataType":"stream"}"#),
        ("gone", r#"{"path":"box/d","operation":"delete"}"#),
    ];
    for (name, expected) in cases {
        assert_eq!(config::<forms>(name), expected);
    }
    let function = testing::describe::<forms>();
    assert_eq!(function.bindings.len(), cases.len());
    let n_outputs =
        function.bindings.iter().filter(|binding| binding.direction == Direction::Output).count();
    assert_eq!(n_outputs, 5);
    assert_eq!(containers::<forms>(), None);
    let completion = Call::new(r#"{ "name": "a" }"#).run::<forms>().unwrap();
    assert!(completion.outputs.is_empty());
}

/// Copies in pieces.
#[mcp_tool]
fn copy(
    fail: Option<bool>,
    #[blob_input(path = "box/a")] mut from: BlobReader,
    #[blob_output(path = "box/b")] mut to: BlobWriter,
) -> io::Result<u64> {
    let size = from.size().ok_or_else(|| io::Error::other("nobody knows the size"))?;
    let n_bytes = io::copy(&mut from, &mut to)?;
    assert_eq!(size, n_bytes);
    if fail == Some(true) {
        return Err(io::Error::other("changed its mind"));
    }
    Ok(n_bytes)
}

#[test]
fn what_is_read_in_pieces_is_written_in_pieces() {
    let content: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
    let call = |arguments| Call::new(arguments).input("from", wit::Value::Bytes(content.clone()));
    let completion = call("{}").run::<copy>().unwrap();
    assert!(matches!(completion.outcome, Outcome::Text(text) if text == "1000000"));
    let [output] = completion.outputs.as_slice() else { panic!("there is one output") };
    assert_eq!(output.name, "to");
    assert!(matches!(&output.value, wit::Value::Bytes(bytes) if *bytes == content));
    let failure = call(r#"{ "fail": true }"#).run::<copy>().unwrap_err();
    assert_eq!(failure.message, "changed its mind");
    let missing = Call::new("{}").run::<copy>().unwrap_err();
    assert_eq!(missing.message, "the blob `from` does not exist");
}

#[test]
fn a_writer_keeps_what_it_got_and_nothing_else() {
    let mut writer = BlobWriter::new();
    assert_eq!(writer.written(), None);
    writer.flush().unwrap();
    assert_eq!(writer.written(), None);
    writer.begin().unwrap();
    assert_eq!(writer.written().unwrap(), b"");
    write!(writer, "{}-{}", 1, 2).unwrap();
    writer.write_all(&vec![b'x'; 300_000]).unwrap();
    writer.write_all(b"end").unwrap();
    let written = writer.written().unwrap();
    assert_eq!(written.len(), 300_006);
    assert!(written.starts_with(b"1-2x") && written.ends_with(b"xend"));
}

#[test]
fn a_reader_gives_all_of_it_in_any_pieces() {
    let mut reader = BlobReader::new(vec![7; 10]);
    let mut start = [0; 3];
    reader.read_exact(&mut start).unwrap();
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).unwrap();
    assert_eq!((start.as_slice(), rest.as_slice()), ([7; 3].as_slice(), [7; 7].as_slice()));
    assert_eq!(reader.size(), Some(10));
}

/// Lists.
#[mcp_tool]
fn list(#[blob_input(path = "box/")] blobs: BlobList) -> BlobList {
    blobs
}

#[test]
fn a_list_comes_as_the_host_writes_it_and_goes_with_its_schema() {
    let json = r#"{"items":[{"name":"a","size":3,"modified":"2026-11-30T19:31:00.000Z","etag":"\"1\""},{"name":"b","size":0,"modified":null,"etag":null}],"next":"b"}"#;
    let call = Call::new("{}").input("blobs", wit::Value::Json(json.to_owned()));
    let Outcome::Value(returned) = call.run::<list>().unwrap().outcome else {
        panic!("it is structured")
    };
    let without_null = json.replace(r#","modified":null,"etag":null"#, "");
    assert_eq!(returned, without_null);
    let wit::Trigger::Tool(tool) = testing::describe::<list>().trigger else {
        panic!("it is a tool")
    };
    let schema: Value = serde_json::from_str(&tool.output_schema.unwrap()).unwrap();
    assert_eq!(schema["required"], json!(["items"]));
}

/// Deletes.
#[mcp_tool]
fn delete(sure: bool, #[blob_output(path = "box/a")] gone: Out<Delete>) {
    if sure {
        gone.delete();
    }
}

#[test]
fn a_deletion_is_an_output_that_is_set() {
    let outputs = |arguments| Call::new(arguments).run::<delete>().unwrap().outputs;
    assert_eq!(outputs(r#"{ "sure": true }"#)[0].name, "gone");
    assert!(outputs(r#"{ "sure": false }"#).is_empty());
}

/// Counts.
#[mcp_tool]
fn count_up(
    context: ToolContext,
    #[blob_container("counters")] counters: Container,
    #[blob_container("archive", connection = "Other")] archive: Container,
) -> Result<u32, ContainerError> {
    let count = match counters.find("count")? {
        None => 0,
        Some(text) => String::from_utf8_lossy(&text).parse().unwrap_or(0),
    };
    counters.put("count", (count + 1).to_string())?;
    archive.put_if_absent(context.invocation_id(), "")?;
    Ok(count + 1)
}

#[test]
fn a_container_that_is_given_is_opened_and_no_other() {
    assert_eq!(
        containers::<count_up>().unwrap(),
        r#"[{"name":"counters"},{"name":"archive","connection":"Other"}]"#
    );
    let counters = Container::in_memory();
    let call = || Call::new("{}").container("counters", &counters);
    let denied = call().run::<count_up>().unwrap_err();
    assert_eq!(
        denied.message,
        "the container `archive` is not granted: `functions.NAME.containers` of host.json needs { \"name\": \
         \"archive\" }"
    );
    let completion = call().container("archive", &Container::in_memory()).run::<count_up>();
    assert!(matches!(completion.unwrap().outcome, Outcome::Text(text) if text == "2"));
    assert_eq!(counters.get_text("count").unwrap(), "2");
}

/// A counter.
#[mcp_resource(uri = "counter://{name}")]
fn counter(name: String, #[blob_container("counters")] counters: Container) -> Option<String> {
    counters.get_text(&name).ok()
}

/// Speaks of a counter.
#[mcp_prompt]
fn explain(#[blob_container("counters")] counters: Container) -> Result<String, ContainerError> {
    counters.get_text("count")
}

#[test]
fn resources_and_prompts_open_containers_too() {
    let expected = Some(r#"[{"name":"counters"}]"#.to_owned());
    assert_eq!((containers::<counter>(), containers::<explain>()), (expected.clone(), expected));
}

#[test]
fn a_container_in_memory_keeps_conditions_and_pages() {
    let blobs = Container::in_memory();
    assert!(blobs.put_if_unchanged("a", "", "\"0\"").is_err());
    let first = blobs.put_if_absent("a", "1").unwrap().unwrap();
    let conflict = ContainerError::Conflict { blob: "a".into() };
    assert_eq!(blobs.put_if_absent("a", "2"), Err(conflict.clone()));
    let second = blobs.put_if_unchanged("a", "2", &first).unwrap().unwrap();
    assert_eq!(blobs.put_if_unchanged("a", "3", &first), Err(conflict));
    assert_eq!(blobs.stat("a").unwrap().entry.etag, Some(second));
    assert_eq!(blobs.get("b").unwrap_err().to_string(), "there is no blob `b`");
    assert_eq!(blobs.find("b"), Ok(None));
    blobs.delete("a").unwrap();
    blobs.delete("a").unwrap();
    for n in 0..2_001 {
        blobs.put(&format!("x/{n:04}"), "12").unwrap();
    }
    blobs.put("y", "").unwrap();
    let page = blobs.page("x/", Some("x/0999")).unwrap();
    assert_eq!((page.items.len(), page.next.as_deref()), (1_000, Some("x/1999")));
    assert_eq!((page.items[0].name.as_str(), page.items[0].size), ("x/1000", 2));
    let names: Vec<_> = blobs.list("x/").map(|blob| blob.unwrap().name).collect();
    assert_eq!(names.len(), 2_001);
    assert!(names.is_sorted() && !names.contains(&"y".to_owned()));
}

mcpfn_sdk::functions![forms, copy, list, delete, count_up, counter, explain];
