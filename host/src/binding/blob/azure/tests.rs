//! Connection strings, identities, and what becomes of a container that is missing, on a server that answers as told.

use std::time::Duration;

use bytes::Bytes;
use tokio::{io::AsyncWriteExt as _, net::TcpListener};

use super::*;
use crate::{
    binding::{
        StorageFault,
        blob::{
            cloud::SILENCE,
            server::{Answer, Request, Server, read_request},
            store::About,
        },
    },
    function::Condition,
};

const CREATED: Answer = Answer::Whole(201, "", "");

#[track_caller]
fn check(text: &str, name: &str, endpoint: &str) {
    let account = Account::parse(text).unwrap();
    assert_eq!((account.name.as_str(), account.endpoint.as_str()), (name, endpoint));
}

#[test]
fn connection_strings_are_read_as_azure_reads_them() {
    let development = "http://127.0.0.1:10000/devstoreaccount1";
    check("UseDevelopmentStorage=true", "devstoreaccount1", development);
    check("usedevelopmentstorage=True;", "devstoreaccount1", development);
    check("AccountName=a;AccountKey=YQ==", "a", "https://a.blob.core.windows.net");
    check(
        "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=YQ==;EndpointSuffix=x.cn;",
        "a",
        "http://a.blob.x.cn",
    );
    check(
        "BlobEndpoint=https://b.blob.core.windows.net/;SharedAccessSignature=sv=1&sig=a%3D;",
        "b",
        "https://b.blob.core.windows.net",
    );
}

#[test]
fn an_endpoint_holds_no_secret() {
    for endpoint in [
        "BlobEndpoint=https://a.example/?sv=1&sig=SECRET",
        "BlobEndpoint=https://SECRET@a.example",
        "BlobEndpoint=https://a.example;QueueEndpoint=https://q.example?sig=SECRET",
    ] {
        let reason = Account::parse(&format!("{endpoint};AccountKey=YQ==")).unwrap_err();
        assert_eq!(
            reason,
            "an endpoint of the connection string is more than an address (a signature belongs in \
             `SharedAccessSignature`)"
        );
    }
}

fn text(address: &str) -> String {
    format!("AccountName=a;AccountKey=YQ==;BlobEndpoint={address}/a")
}

fn container(account: Account) -> Arc<Object> {
    Arc::new(open(&Arc::new(account), "snippets").unwrap())
}

fn impatient(address: &str, silence: Duration) -> Arc<Object> {
    let read = text::read(&text(address)).unwrap();
    let pool = Pool::with_silence(read.scheme, silence).unwrap();
    container(Account::with_credential(read, pool))
}

async fn write(container: &Arc<Object>, name: &str, bytes: Bytes) -> Result<(), Fault> {
    container.write(name, bytes, &Condition::Always, &About::default()).await.map(|_| ())
}

/// Has no container until it is made.
async fn empty() -> Server {
    let is_made = std::sync::atomic::AtomicBool::new(false);
    Server::start(move |request: &Request, _| {
        use std::sync::atomic::Ordering::Relaxed;
        if request.line().contains("restype=container") {
            is_made.store(true, Relaxed);
        }
        if is_made.load(Relaxed) { CREATED } else { Answer::Whole(404, "", "") }
    })
    .await
}

#[tokio::test]
async fn a_missing_container_is_made_once_and_the_write_repeated() {
    let server = empty().await;
    let container = container(Account::parse(&text(&server.address)).unwrap());
    write(&container, "a%2Fb#1 é.json", Bytes::new()).await.unwrap();
    assert_eq!(
        server.lines(),
        [
            "PUT /a/snippets/a%252Fb%231%20%C3%A9.json HTTP/1.1",
            "PUT /a/snippets?restype=container HTTP/1.1",
            "PUT /a/snippets/a%252Fb%231%20%C3%A9.json HTTP/1.1",
        ]
    );
}

#[tokio::test]
async fn a_large_blob_is_written_in_blocks_and_then_as_a_whole() {
    let server = empty().await;
    let container = container(Account::parse(&text(&server.address)).unwrap());
    let bytes = Bytes::from(vec![b'x'; 2 * BLOCK_BYTES + 1]);
    write(&container, "large", bytes).await.unwrap();
    let lines = server.lines();
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| {
            let kinds = ["comp=blocklist", "comp=block&", "restype=container"];
            *kinds.iter().find(|kind| line.contains(**kind)).unwrap()
        })
        .collect();
    let (block, list) = ("comp=block&", "comp=blocklist");
    // The first block met no container.
    assert_eq!(kinds, [block, "restype=container", block, block, block, list], "{lines:?}");
}

/// Answers a read with a byte at a time, and pauses before each.
async fn trickle(listener: TcpListener, n_bytes: usize, pause: Duration) {
    let (mut stream, _) = listener.accept().await.unwrap();
    read_request(&mut stream).await;
    let head = format!(
        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n\
         Content-Length: {n_bytes}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..n_bytes {
        tokio::time::sleep(pause).await;
        stream.write_all(b"x").await.unwrap();
    }
}

#[tokio::test]
async fn a_transfer_that_goes_on_may_take_longer_than_silence_may() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let silence = Duration::from_secs(1);
    let server = tokio::spawn(trickle(listener, 8, silence / 5));
    let container = impatient(&address, silence);
    let (bytes, _) = container.read("slow", 100).await.unwrap().unwrap();
    assert_eq!(bytes, b"xxxxxxxx");
    server.await.unwrap();
}

#[tokio::test]
async fn storage_that_says_nothing_counts_as_dead() {
    let server = Server::always(Answer::Silence).await;
    let container = impatient(&server.address, Duration::from_millis(200));
    let both = async {
        let read = container.read("dead", 100).await;
        assert!(matches!(read, Err(Fault::Storage(StorageFault::Timeout, _))), "{read:?}");
        let written = write(&container, "dead", Bytes::from_static(b"x")).await;
        assert!(matches!(written, Err(Fault::Storage(StorageFault::Timeout, _))), "{written:?}");
    };
    tokio::time::timeout(SILENCE, both).await.expect("silence is noticed");
}

/// The parts of a connection, as settings.
fn by_identity(settings: &[(&str, &str)]) -> Option<Result<Account, String>> {
    let lookup = |name: &str| {
        settings.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    Account::by_identity(&Parts::new("Store", &lookup))
}

#[test]
fn an_account_is_named_by_parts_as_azure_names_them() {
    let check = |settings: &[(&str, &str)], place: &str| {
        assert_eq!(by_identity(settings).unwrap().unwrap().place(), place);
    };
    let machine = "https://a.blob.core.windows.net (managed identity)";
    let uri = ("Store__serviceUri", "https://a.blob.core.windows.net/");
    check(&[("Store__blobServiceUri", "https://a.blob.core.windows.net")], machine);
    check(&[uri], machine);
    check(&[("Store:serviceUri", "https://a.blob.core.windows.net")], machine);
    check(&[uri, ("Store__credential", "ManagedIdentity"), ("Store__clientId", "c")], machine);
    check(&[uri, ("Store__managedIdentityResourceId", "r")], machine);
    let account = ("Store__accountName", "abc");
    check(&[account], "https://abc.blob.core.windows.net (managed identity)");
    check(
        &[
            account,
            ("Store__clientId", "c"),
            ("Store__tenantId", "t"),
            ("Store__clientSecret", "s"),
        ],
        "https://abc.blob.core.windows.net (client secret)",
    );
    let workload = [
        ("AZURE_FEDERATED_TOKEN_FILE", "/token"),
        ("AZURE_CLIENT_ID", "c"),
        ("AZURE_TENANT_ID", "t"),
    ];
    let with = |first: (&'static str, &'static str)| [&[account, first], &workload[..]].concat();
    check(&with(("Store__clientId", "d")), "https://abc.blob.core.windows.net (workload identity)");
    check(
        &with(("Store__credential", "managedidentity")),
        "https://abc.blob.core.windows.net (managed identity)",
    );
    check(
        &[("Store__serviceUri", "https://a.blob.core.windows.net/?sv=1&sig=SECRET%3D")],
        "https://a.blob.core.windows.net (shared access signature)",
    );
    assert!(by_identity(&[("Store__credential", "managedidentity")]).is_none());
    assert!(by_identity(&[("Store__serviceUri", " ")]).is_none());
    // It is found under its own name.
    let other = ("AzureWebJobsStore__serviceUri", "https://a.blob.core.windows.net");
    assert!(by_identity(&[other]).is_none());
}

#[test]
fn queues_are_beside_the_blobs_or_where_it_is_said() {
    let check = |settings: &[(&str, &str)], endpoint: Result<&str, &str>| {
        let queues = by_identity(settings).unwrap().unwrap().queues();
        assert_eq!(
            queues.map(|queues| queues.endpoint),
            endpoint.map_err(str::to_owned).map(str::to_owned)
        );
    };
    let derived = Ok("https://abc.queue.core.windows.net");
    check(&[("Store__accountName", "abc")], derived);
    check(&[("Store__serviceUri", "https://abc.blob.core.windows.net")], derived);
    check(&[("Store__serviceUri", "https://abc.blob.core.windows.net?sig=x")], derived);
    let own = ("Store__queueServiceUri", "https://q.example/");
    check(&[("Store__accountName", "abc"), own], Ok("https://q.example"));
    check(&[own], Ok("https://q.example"));
    check(
        &[("Store__serviceUri", "https://blobs.example")],
        Err("does not say where its queues are (expected the setting `NAME__queueServiceUri`)"),
    );
    let bad = [("Store__accountName", "abc"), ("Store__queueServiceUri", "SECRET")];
    assert_eq!(
        by_identity(&bad).unwrap().unwrap_err(),
        "the setting `Store__queueServiceUri` is no http or https address"
    );
}

#[test]
fn parts_that_do_not_go_together_are_one_sentence() {
    let check = |settings: &[(&str, &str)], reason: &str| {
        assert_eq!(by_identity(settings).unwrap().unwrap_err(), reason);
    };
    let uri = ("Store__serviceUri", "https://a.blob.core.windows.net");
    for address in ["SECRET", "ftp://SECRET", "https://", "https://user:SECRET@host"] {
        check(
            &[("Store__serviceUri", address)],
            "the setting `Store__serviceUri` is no http or https address",
        );
    }
    check(
        &[("Store__accountName", "a.b/SECRET")],
        "the setting `Store__accountName` is no name of a storage account",
    );
    check(
        &[("Store__serviceUri", "https://a?SECRET")],
        "the query of the setting `Store__serviceUri` cannot be read as a shared access signature",
    );
    check(
        &[("Store__serviceUri", "https://a?sv=1&sig=SECRET"), ("Store__clientId", "c")],
        "the setting `Store__clientId` does not go with an address that holds a shared access signature",
    );
    check(
        &[uri, ("Store__credential", "SECRET")],
        "the setting `Store__credential` has an unknown value (expected `managedidentity`, `workloadidentity`)",
    );
    check(
        &[uri, ("Store__clientId", "c"), ("Store__managedIdentityResourceId", "r")],
        "the settings `Store__clientId` and `Store__managedIdentityResourceId` do not go together",
    );
    check(
        &[uri, ("Store__clientSecret", "SECRET"), ("Store__tenantId", "t")],
        "the setting `Store__clientSecret` needs `Store__clientId` beside it, which has no value",
    );
    check(
        &[uri, ("Store__tenantId", "t")],
        "the setting `Store__tenantId` needs `Store__clientSecret` beside it, which has no value",
    );
    check(
        &[uri, ("Store__clientSecret", "SECRET"), ("Store__credential", "managedidentity")],
        "the settings `Store__clientSecret` and `Store__credential` do not go together",
    );
    check(
        &[uri, ("Store__region", "x")],
        "the setting `Store__region` does not go with an Azure account",
    );
    check(
        &[uri, ("Store__credential", "workloadidentity")],
        "the setting `Store__credential` asks for a workload identity, which needs the settings \
         `AZURE_FEDERATED_TOKEN_FILE`, `AZURE_CLIENT_ID` and `AZURE_TENANT_ID`, and no \
         `Store__managedIdentityResourceId`",
    );
}

#[tokio::test]
async fn the_identity_of_the_machine_is_asked_for_once_and_makes_containers_too() {
    const TOKEN: &str = r#"{"access_token": "TOKEN", "expires_on": "4102444800"}"#;
    let machine = Server::always(Answer::Whole(200, "", TOKEN)).await;
    let server = empty().await;
    let uri = format!("{}/a", server.address);
    let identity = format!("{}/token", machine.address);
    let settings = [
        ("Store__serviceUri", uri.as_str()),
        ("Store__clientId", "me"),
        ("IDENTITY_ENDPOINT", identity.as_str()),
    ];
    let container = container(by_identity(&settings).unwrap().unwrap());
    write(&container, "x", Bytes::new()).await.unwrap();
    assert_eq!(
        machine.lines(),
        [
            "GET /token?api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com&client_id=me HTTP/1.1"
        ]
    );
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    for request in requests {
        assert_eq!(request.header("authorization"), Some("Bearer TOKEN"), "{request:?}");
    }
}

#[tokio::test]
async fn a_machine_without_an_identity_is_no_storage_that_cannot_be_reached() {
    let machine = Server::always(Answer::Whole(400, "", "{\"error\":\"no identity\"}")).await;
    let server = empty().await;
    let (uri, identity) = (format!("{}/a", server.address), machine.address.clone());
    let settings = [("Store__serviceUri", uri.as_str()), ("IDENTITY_ENDPOINT", identity.as_str())];
    let container = container(by_identity(&settings).unwrap().unwrap());
    let read = container.read("x", 1).await;
    assert!(matches!(read, Err(Fault::Storage(StorageFault::Denied, _))), "{read:?}");
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_shared_access_signature_signs_and_is_never_told() {
    const QUOTING: &str =
        "<?xml version=\"1.0\"?><Error><Code>AuthenticationFailed</Code><D>sig=SECRET</D></Error>";
    let server = Server::start(|request: &Request, _| {
        assert!(request.line().contains("sig=SECRET"), "{request:?}");
        match request.line() {
            line if line.contains("lost") => Answer::Lost,
            line if line.contains("gone") => Answer::Whole(404, "", ""),
            line if line.contains("busy") => Answer::Whole(503, "", QUOTING),
            _ => Answer::Whole(403, "", QUOTING),
        }
    })
    .await;
    let uri = format!("{}/a?sv=1&sig=SECRET", server.address);
    let account = by_identity(&[("Store__serviceUri", uri.as_str())]).unwrap().unwrap();
    assert!(!format!("{account:?}").contains("SECRET"));
    let container = container(account);
    assert!(!format!("{container:?}").contains("SECRET"));
    let faults = [
        container.read("denied", 1).await.unwrap_err(),
        container.read("lost", 1).await.unwrap_err(),
        container.read("busy", 1).await.unwrap_err(),
        container.list("", None, 1).await.unwrap_err(),
        container.delete("denied").await.unwrap_err(),
        write(&container, "denied", Bytes::new()).await.unwrap_err(),
        write(&container, "denied", Bytes::from(vec![0; 2 * BLOCK_BYTES])).await.unwrap_err(),
        // The container is missing, and may not be made.
        write(&container, "gone", Bytes::new()).await.unwrap_err(),
    ];
    for fault in faults {
        let text = match &fault {
            Fault::Storage(_, detail) => format!("{detail} {detail:?}"),
            other => format!("{other:?}"),
        };
        assert!(!text.contains("SECRET"), "{text}");
        assert!(!format!("{fault:?}").contains("SECRET"), "{fault:?}");
    }
}

#[tokio::test]
async fn a_conditional_write_does_not_conflict_with_itself() {
    let conditions = [Condition::Absent, Condition::Unchanged("\"0\"".to_owned())];
    for condition in conditions {
        // Only the last ones say that nothing was done.
        for (first, n_asked) in [
            (Answer::Lost, 1),
            (Answer::Whole(408, "", ""), 1),
            (Answer::Whole(500, "x-ms-error-code: OperationTimedOut\r\n", ""), 1),
            (Answer::Whole(503, "", "no healthy upstream"), 1),
            (Answer::Whole(503, "x-ms-error-code: ServerBusy\r\n", ""), 2),
            (Answer::Whole(503, "", "<Error><Code>ServerBusy</Code></Error>"), 2),
            (Answer::Whole(409, "", "<Error><Code>ContainerBeingDeleted</Code></Error>"), 2),
        ] {
            let server = Server::once(first, Answer::Whole(412, "", "")).await;
            let container = container(Account::parse(&text(&server.address)).unwrap());
            let bytes = Bytes::from_static(b"x");
            let written = container.write("x", bytes, &condition, &About::default()).await;
            let is_conflict = matches!(written, Err(Fault::Conflict));
            assert_eq!(
                (is_conflict, server.requests().len()),
                (n_asked == 2, n_asked),
                "{written:?}"
            );
        }
        let answer = Answer::Whole(409, "", "<Error><Code>BlobAlreadyExists</Code></Error>");
        let server = Server::always(answer).await;
        let container = container(Account::parse(&text(&server.address)).unwrap());
        let bytes = Bytes::from_static(b"x");
        let written = container.write("x", bytes, &condition, &About::default()).await;
        assert!(matches!(written, Err(Fault::Conflict)), "{written:?}");
    }
}
