//! What a probe says of connections: those that answer, those that do not, and those that nothing uses.

use std::fs;

use serde_json::json;

use super::{Bench, declaration, schema};
use crate::{
    binding::{Scope, scope::Root},
    function::Direction,
};

#[tokio::test]
async fn a_probe_says_what_there_is_and_makes_nothing() {
    let urls = [
        ("Empty", "memory:"),
        ("Files", "file:./files"),
        ("S3", "s3://bucket/folder"),
        ("Web", "http://127.0.0.1:1/%Key%/v1?key=%Key%"),
        ("Web2", "http://%Key%.invalid:1/%Key%"),
    ];
    let settings = &[
        ("Key", "SECRET"),
        ("S3__accessKeyId", "id"),
        ("S3__secretAccessKey", "SECRET"),
        ("Old", "AccountName=a;AccountKey=U0VDUkVU;BlobEndpoint=http://127.0.0.1:1/a"),
    ];
    let bench = Bench::new(&urls, settings).unwrap();
    for (connection, path) in
        [("Files", "there/x"), ("Files", "missing/x"), ("Files", "broken/x"), ("Old", "abc/x")]
    {
        bench.input(json!({"path": path, "connection": connection})).unwrap();
    }
    let queue = declaration(
        "queue",
        Direction::Output,
        json!({"queueName": "jobs", "connection": "Files"}),
    );
    bench.registry.output(&queue, &Scope::new(Root::Tool, &schema())).unwrap();
    fs::create_dir_all(bench.file("files/there/a")).unwrap();
    fs::write(bench.file("files/there/a/b"), "").unwrap();
    fs::write(bench.file("files/broken"), "").unwrap();
    let probes = bench.registry.probe().await;
    let place = bench.file("./files").display().to_string();
    let [empty, files, old, s3, web, named] = &probes[..] else { panic!("{probes:?}") };
    for (probe, expected) in [
        (empty, ("Empty", "memory", "this process")),
        (files, ("Files", "folder", place.as_str())),
        (old, ("Old", "azure", "http://127.0.0.1:1/a (account key)")),
        (web, ("Web", "http", "http://127.0.0.1:1/%Key%/v1")),
        (named, ("Web2", "http", "http://%Key%.invalid:1/%Key%")),
        (s3, ("S3", "s3", "s3://bucket/folder at us-east-1 (access key)")),
    ] {
        assert_eq!((probe.connection.as_str(), probe.kind, probe.place.as_str()), expected);
    }
    assert!(empty.findings.is_empty() && s3.findings.is_empty());
    let found: Vec<_> = files
        .findings
        .iter()
        .map(|finding| (finding.at.as_str(), finding.found.as_deref().map_err(String::as_str)))
        .collect();
    assert_eq!(
        found,
        [
            ("broken", Err("failed (not a directory)")),
            ("missing", Ok("not there yet (it is made at the first write)")),
            ("there", Ok("1 blob")),
            ("queue jobs", Ok("not there yet (it is made at the first message)")),
        ]
    );
    let fault = old.findings[0].found.as_ref().unwrap_err();
    assert!(fault.starts_with("cannot be reached ("), "{fault}");
    let fault = web.findings[0].found.as_ref().unwrap_err();
    assert!(fault.starts_with("cannot be reached ("), "{fault}");
    assert!(!old.is_good() && !files.is_good() && s3.is_good());
    assert!(!bench.file("files/missing").exists());
    let shown = format!("{probes:?} {:?}", bench.registry);
    assert!(!shown.contains("SECRET") && !shown.contains("U0VDUkVU"), "{shown}");
}
