//! Blobs in pieces.

use std::fs;

use serde_json::json;

use super::{Bench, PATH, storages, text, with_name};
use crate::binding::{BindingError, Download, FoundContent, Upload};

const STREAM: &str = "stream";

async fn begin(bench: &Bench) -> Box<dyn Upload> {
    let output = bench.output(json!({ "path": PATH, "dataType": STREAM })).unwrap();
    let target = with_name("a", |data| output.resolve(data)).unwrap().unwrap();
    output.stream().expect("it is a stream").begin(&target).await.unwrap()
}

async fn open(bench: &Bench) -> Option<Box<dyn Download>> {
    let input = bench.input(json!({ "path": PATH, "dataType": STREAM })).unwrap();
    let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
    match input.read(&target).await.unwrap()?.content {
        FoundContent::Stream(download) => Some(download),
        FoundContent::Whole(_) => panic!("a stream was declared"),
    }
}

async fn read_all(download: &mut dyn Download, max: usize) -> Result<Vec<u8>, BindingError> {
    let mut all = Vec::new();
    loop {
        let piece = download.read(max).await?;
        assert!(piece.len() <= max);
        if piece.is_empty() {
            return Ok(all);
        }
        all.extend(piece);
    }
}

#[tokio::test]
async fn what_was_written_in_pieces_is_read_in_other_pieces() {
    for bench in storages() {
        assert!(open(&bench).await.is_none());
        let mut upload = begin(&bench).await;
        let mut expected = Vec::new();
        for n in 0..50_u8 {
            let piece = vec![n; 10_000 * usize::from(n)];
            expected.extend_from_slice(&piece);
            upload.write(piece).await.unwrap();
        }
        assert!(open(&bench).await.is_none(), "nothing is to be seen before the end");
        upload.complete().await.unwrap();
        let mut download = open(&bench).await.unwrap();
        assert_eq!(download.size(), Some(expected.len() as u64));
        assert!(read_all(&mut *download, 65_537).await.unwrap() == expected);
        assert_eq!(download.read(10).await.unwrap(), b"");
    }
}

#[tokio::test]
async fn an_empty_stream_is_an_empty_blob() {
    for bench in storages() {
        begin(&bench).await.complete().await.unwrap();
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("")));
        let mut download = open(&bench).await.unwrap();
        assert_eq!((download.size(), download.read(10).await.unwrap()), (Some(0), Vec::new()));
    }
}

#[tokio::test]
async fn a_stream_that_is_given_up_leaves_what_was_there() {
    for bench in storages() {
        bench.save(PATH, "a", text("before")).await.unwrap();
        let mut upload = begin(&bench).await;
        upload.write(vec![b'x'; 100_000]).await.unwrap();
        drop(upload);
        assert_eq!(bench.get(PATH, "a").await.unwrap(), Some(text("before")));
        let staging = bench.file("storage/snippets/.mcpfn-staging");
        assert_eq!(fs::read_dir(staging).map_or(0, Iterator::count), 0);
    }
}

#[tokio::test]
async fn a_stream_is_limited_by_the_declaration_alone() {
    for bench in storages() {
        let config = json!({ "path": PATH, "dataType": STREAM, "maxBytes": 10 });
        let output = bench.output(config.clone()).unwrap();
        let target = with_name("a", |data| output.resolve(data)).unwrap().unwrap();
        let mut upload = output.stream().unwrap().begin(&target).await.unwrap();
        upload.write(vec![0; 10]).await.unwrap();
        let error = upload.write(vec![0]).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob is larger than 10 bytes");
        drop(upload);
        bench.save(PATH, "a", text("12345678901")).await.unwrap();
        let input = bench.input(config).unwrap();
        let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
        let error = input.read(&target).await.unwrap_err();
        assert_eq!(error.public_message(), "the blob is larger than 10 bytes");
    }
}

#[tokio::test]
async fn a_reader_keeps_the_version_it_opened() {
    for bench in storages() {
        bench.save(PATH, "a", text("old old old")).await.unwrap();
        let mut download = open(&bench).await.unwrap();
        assert_eq!(download.read(4).await.unwrap(), b"old ");
        bench.save(PATH, "a", text("new")).await.unwrap();
        assert_eq!(read_all(&mut *download, 100).await.unwrap(), b"old old");
    }
}

#[tokio::test]
async fn a_blob_that_another_program_cuts_short_is_not_taken_for_whole() {
    let bench = Bench::with("file:./storage");
    bench.save(PATH, "a", text("0123456789")).await.unwrap();
    let mut download = open(&bench).await.unwrap();
    assert_eq!(download.read(4).await.unwrap(), b"0123");
    assert_eq!(download.read(0).await.unwrap(), b"", "nothing was asked for");
    let file = fs::OpenOptions::new().write(true).open(bench.file("storage/snippets/a.json"));
    file.unwrap().set_len(6).unwrap();
    let error = read_all(&mut *download, 100).await.unwrap_err();
    assert_eq!(error.public_message(), "the blob changed while it was read");
}
