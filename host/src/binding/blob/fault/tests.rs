//! What real errors of every service, and of files, are told apart as.

use std::path::Path;

use bytes::Bytes;
use futures_util::future::join_all;

use super::*;
use crate::{
    binding::blob::{
        parts::Parts,
        server::{Answer, Request, Server},
        service::Service,
        store::{About, Store},
    },
    function::Condition,
};

/// The same address as Azure, S3 and Google have it.
fn stores(address: &str) -> [(&'static str, Store); 3] {
    let azure = format!("AccountName=a;AccountKey=YQ==;BlobEndpoint={address}/a");
    ["azure", "s3", "gcs"].map(|kind| {
        let lookup = |name: &str| {
            let value = match name {
                "Store__endpoint" => address,
                "Store__accessKeyId" | "Store__secretAccessKey" if kind == "s3" => "key",
                _ => return None,
            };
            (kind != "azure").then(|| value.to_owned())
        };
        let text = match kind {
            "azure" => azure.as_str(),
            "s3" => "s3:",
            _ => "gs:",
        };
        let service = Service::parse(text, Path::new("/"), &Parts::new("Store", &lookup)).unwrap();
        (kind, service.open("snippets").unwrap())
    })
}

async fn write(store: &Store) -> Result<(), Fault> {
    let (condition, about) = (Condition::Always, About::default());
    store.write("x", Bytes::from_static(b"x"), &condition, &about).await.map(|_| ())
}

fn check<T: std::fmt::Debug>(what: &str, done: Result<T, Fault>, expected: StorageFault) {
    match done {
        Err(Fault::Storage(kind, detail)) => assert_eq!(kind, expected, "{what}: {detail}"),
        other => panic!("{what}: {other:?}"),
    }
}

async fn check_all(address: &str, expected: StorageFault) {
    let checks = stores(address).map(async |(kind, store)| {
        let what = |operation: &str| format!("{kind}, {operation}, {expected}");
        let (name, about) = ("x", About::default());
        let (condition, bytes) = (Condition::Always, Bytes::from_static(b"x"));
        let (read, stat, written, listed, deleted, begun) = tokio::join!(
            store.read(name, 10),
            store.stat(name),
            store.write(name, bytes, &condition, &about),
            store.list("", None, 10),
            store.delete(name),
            begin(&store),
        );
        check(&what("read"), read, expected);
        check(&what("stat"), stat, expected);
        check(&what("write"), written, expected);
        check(&what("list"), listed, expected);
        check(&what("delete"), deleted, expected);
        check(&what("begin"), begun, expected);
    });
    join_all(checks).await;
}

/// Azure begins with the first block.
async fn begin(store: &Store) -> Result<(), Fault> {
    let mut writing = store.begin("x", &About::default()).await?;
    writing.write(vec![0; 6 << 20]).await?;
    writing.complete().await
}

#[tokio::test]
async fn where_nobody_listens_storage_cannot_be_reached() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    check_all(&address, StorageFault::Unreachable).await;
}

#[tokio::test]
async fn a_connection_that_ends_before_the_answer_is_as_good_as_none() {
    let server = Server::always(Answer::Lost).await;
    check_all(&server.address, StorageFault::Unreachable).await;
}

#[tokio::test]
async fn statuses_are_told_apart() {
    let checks = [
        (401, StorageFault::Denied),
        (403, StorageFault::Denied),
        (408, StorageFault::Timeout),
        (413, StorageFault::Full),
        (429, StorageFault::Throttled),
        (500, StorageFault::Other),
        (502, StorageFault::Unreachable),
        (503, StorageFault::Throttled),
        (504, StorageFault::Timeout),
        (507, StorageFault::Full),
    ]
    .map(async |(status, fault)| {
        let server = Server::always(Answer::Whole(status, "", "<Error/>")).await;
        check_all(&server.address, fault).await;
    });
    join_all(checks).await;
}

#[tokio::test]
async fn what_ends_in_the_middle_is_an_error_and_no_short_content() {
    let server = Server::start(|request: &Request, _| match request.header("range") {
        None => Answer::Short("half of it"),
        // It is tried again from where it ended.
        Some(_) => Answer::Lost,
    })
    .await;
    for (kind, store) in stores(&server.address) {
        check(kind, store.read("x", 100).await, StorageFault::Unreachable);
        let (_, mut reading) = store.open("x").await.unwrap().unwrap();
        let mut n_read = 0;
        let fault = loop {
            match reading.read(100).await {
                Ok(bytes) if bytes.is_empty() => panic!("{kind}: it ended after {n_read} bytes"),
                Ok(bytes) => n_read += bytes.len(),
                Err(fault) => break fault,
            }
        };
        check(kind, Err::<(), _>(fault), StorageFault::Unreachable);
    }
}

#[tokio::test]
async fn what_changes_while_it_is_read_is_an_error_and_no_mixture() {
    // The second half comes of another version.
    let server = Server::start(|_: &Request, n_before| match n_before {
        0 => Answer::Short("half of it"),
        _ => Answer::Whole(206, "ETag: \"2\"\r\nContent-Range: bytes 10-19/20\r\n", "0123456789"),
    })
    .await;
    let [(kind, store), ..] = stores(&server.address);
    let read = store.read("x", 100).await;
    assert!(matches!(read, Err(Fault::Storage(..))), "{kind}: {read:?}");
}

#[tokio::test]
async fn an_error_in_a_success_is_an_error() {
    const SLOW: &str = "<Error><Code>SlowDown</Code></Error>";
    const BEGUN: &str =
        "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>";
    let server = Server::start(|request: &Request, _| match request.line() {
        line if line.contains("?uploads") => Answer::Whole(200, "", BEGUN),
        line if line.starts_with("POST") => Answer::Whole(200, "", SLOW),
        _ => Answer::Whole(200, "", ""),
    })
    .await;
    let [_, (kind, store), _] = stores(&server.address);
    check(kind, begin(&store).await, StorageFault::Throttled);
}

/// A folder with a file in the place of the container.
#[tokio::test]
async fn a_file_is_no_container() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("snippets"), "").unwrap();
    let store = folder_store(folder.path());
    check("write", write(&store).await, StorageFault::Other);
    check("count", store.count(1).await, StorageFault::Other);
    assert!(store.read("x", 1).await.unwrap().is_none());
}

#[test]
fn faults_of_files_are_told_apart() {
    use rustix::io::Errno;
    for (error, fault) in [
        (Errno::ACCESS, StorageFault::Denied),
        (Errno::PERM, StorageFault::Denied),
        (Errno::ROFS, StorageFault::ReadOnly),
        (Errno::NOSPC, StorageFault::Full),
        (Errno::DQUOT, StorageFault::Full),
        (Errno::FBIG, StorageFault::Full),
        (Errno::TIMEDOUT, StorageFault::Timeout),
        (Errno::HOSTUNREACH, StorageFault::Unreachable),
        (Errno::IO, StorageFault::Other),
    ] {
        assert_eq!(of_io(&io::Error::from(error)), fault, "{error}");
    }
}

/// `/proc` takes no folders, not even of root; `/dev/full` is a disk without room.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn folders_that_take_nothing_say_so_and_hold_nothing_afterwards() {
    let store = folder_store(Path::new("/proc"));
    let fault = write(&store).await.unwrap_err();
    assert!(matches!(fault, Fault::Storage(..)), "{fault:?}");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let error = io::Write::write_all(&mut &full, b"x").unwrap_err();
    check("full", Err::<(), _>(Fault::of_file(error)), StorageFault::Full);
}

fn folder_store(root: &Path) -> Store {
    let url = format!("file:{}", root.display());
    Service::parse(&url, root, &Parts::new("Store", &|_: &str| None))
        .unwrap()
        .open("snippets")
        .unwrap()
}
