//! What the settings of an `s3:` connection make of it, and which requests are tried again.

use std::time::Duration;

use bytes::Bytes;

use super::*;
use crate::{
    binding::{
        StorageFault,
        blob::{
            fault::Fault,
            server::{Answer, Request, Server},
            store::{About, Store},
        },
    },
    function::Condition,
};

const KEYS: [(&str, &str); 2] =
    [("Store__accessKeyId", "id"), ("Store__secretAccessKey", "SECRET")];

const NO_BUCKET: Answer = Answer::Whole(404, "", "<Error><Code>NoSuchBucket</Code></Error>");

/// Another request is at work.
const IN_THE_WAY: Answer =
    Answer::Whole(409, "", "<Error><Code>ConditionalRequestConflict</Code></Error>");

fn parse(rest: &str, settings: &[(&str, &str)]) -> Result<Service, String> {
    let lookup = |name: &str| {
        settings.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    Service::parse(rest, &Parts::new("Store", &lookup))
}

fn container(rest: &str, server: &Server, more: &[(&str, &str)]) -> Arc<Object> {
    let endpoint = [("Store__endpoint", server.address.as_str())];
    let service = parse(rest, &[&KEYS[..], &endpoint[..], more].concat()).unwrap();
    Arc::new(open(&Arc::new(service), "snippets").unwrap())
}

async fn write(container: &Arc<Object>, name: &str, condition: Condition) -> Result<(), Fault> {
    container.write(name, Bytes::from_static(b"x"), &condition, &About::default()).await.map(|_| ())
}

#[test]
fn buckets_are_where_the_settings_say() {
    let check = |rest: &str, settings: &[(&str, &str)], bucket: &str, place: &str| {
        let service = parse(rest, settings).unwrap();
        assert_eq!((service.address("abc").as_str(), service.place().as_str()), (bucket, place));
    };
    let machine = "(identity of the machine)";
    let amazon = "https://abc.s3.us-east-1.amazonaws.com";
    check("", &[], amazon, &format!("s3: at us-east-1 {machine}"));
    check("//bucket/a/b/", &[], amazon, &format!("s3://bucket/a/b at us-east-1 {machine}"));
    check(
        "",
        &[("Store__region", "eu-north-1"), KEYS[0], KEYS[1]],
        "https://abc.s3.eu-north-1.amazonaws.com",
        "s3: at eu-north-1 (access key)",
    );
    check(
        "",
        &[("AWS_REGION", "eu-west-1"), ("Store__pathStyle", "true")],
        "https://s3.eu-west-1.amazonaws.com/abc",
        &format!("s3: at eu-west-1 {machine}"),
    );
    check(
        "",
        &[
            ("Store__endpoint", "http://127.0.0.1:9000/"),
            ("AWS_ENDPOINT_URL", "http://other"),
            ("AWS_ACCESS_KEY_ID", "id"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
        ],
        "http://127.0.0.1:9000/abc",
        "s3: at http://127.0.0.1:9000 (access key)",
    );
    check(
        "",
        &[("AWS_ENDPOINT_URL", "https://r2.example"), ("Store__pathStyle", "False")],
        "https://abc.r2.example",
        &format!("s3: at https://r2.example {machine}"),
    );
    let dotted = parse("", &[]).unwrap();
    assert_eq!(dotted.address("a.b"), "https://s3.us-east-1.amazonaws.com/a.b");
}

#[test]
fn what_does_not_go_together_is_one_sentence() {
    let check = |rest: &str, settings: &[(&str, &str)], reason: &str| {
        assert_eq!(parse(rest, settings).unwrap_err(), reason);
    };
    check("bucket", &[], "cannot be read (expected `s3:` or `s3://BUCKET/FOLDER`)");
    let key = "a `s3:` connection takes no key in its url (the keys are settings)";
    check("//id:SECRET@bucket", &[], key);
    let query = "a `s3:` connection takes no query (its details are settings)";
    check("//bucket?region=x", &[], query);
    let name = "the bucket of a `s3:` connection has no valid name (expected `a` to `z`, `0` to `9`, `-` and `.`)";
    check("//Bucket", &[], name);
    check("///folder", &[], name);
    let folder = "the folder of a `s3:` connection has an empty segment, `.` or `..`";
    check("//bucket/a//b", &[], folder);
    check("//bucket/../b", &[], folder);
    check(
        "",
        &KEYS[..1],
        "the setting `Store__accessKeyId` needs `Store__secretAccessKey` beside it, which has no value",
    );
    check(
        "",
        &KEYS[1..],
        "the setting `Store__secretAccessKey` needs `Store__accessKeyId` beside it, which has no value",
    );
    check(
        "",
        &[("Store__sessionToken", "SECRET")],
        "the setting `Store__sessionToken` needs `Store__accessKeyId` beside it, which has no value",
    );
    check(
        "",
        &[("AWS_SECRET_ACCESS_KEY", "SECRET")],
        "the setting `AWS_SECRET_ACCESS_KEY` needs `AWS_ACCESS_KEY_ID` beside it, which has no value",
    );
    for endpoint in ["SECRET", "ftp://x", "http://id:SECRET@host", "https://x?SECRET"] {
        check(
            "",
            &[("Store__endpoint", endpoint)],
            "the setting `Store__endpoint` is no http or https address",
        );
    }
    check(
        "",
        &[("AWS_ENDPOINT_URL", "x")],
        "the setting `AWS_ENDPOINT_URL` is no http or https address",
    );
    check(
        "",
        &[("Store__pathStyle", "yes")],
        "the setting `Store__pathStyle` has an unknown value (expected `true`, `false`)",
    );
    check("", &[("Store__region", "a/b")], "the setting `Store__region` is no region");
    check(
        "",
        &[("Store__accountName", "x")],
        "the setting `Store__accountName` does not go with an `s3:` connection",
    );
}

#[tokio::test]
async fn a_missing_bucket_is_made_in_its_region_and_the_write_repeated() {
    let server = Server::start(|request: &Request, n_before| match n_before {
        0 => NO_BUCKET,
        _ if request.header("authorization").is_none() => Answer::Whole(403, "", ""),
        _ => Answer::Whole(200, "", ""),
    })
    .await;
    let container = container("", &server, &[("Store__region", "eu-north-1")]);
    write(&container, "a%2Fb#1 é.json", Condition::Always).await.unwrap();
    let requests = server.requests();
    let object = "PUT /snippets/a%252Fb%231%20%C3%A9.json HTTP/1.1";
    assert_eq!(server.lines(), [object, "PUT /snippets HTTP/1.1", object]);
    let body = String::from_utf8_lossy(&requests[1].body);
    assert!(body.contains("<LocationConstraint>eu-north-1</LocationConstraint>"), "{body}");
    let signed = requests[1].header("authorization").unwrap();
    assert!(signed.contains("/eu-north-1/s3/aws4_request"), "{signed}");
}

#[tokio::test]
async fn no_region_has_to_be_named_where_there_is_one_only() {
    let server = Server::start(|_: &Request, n_before| match n_before {
        0 => NO_BUCKET,
        // Another host was faster.
        1 => Answer::Whole(409, "", "<Error><Code>BucketAlreadyOwnedByYou</Code></Error>"),
        _ => Answer::Whole(200, "", ""),
    })
    .await;
    let container = container("", &server, &[]);
    write(&container, "x", Condition::Always).await.unwrap();
    assert_eq!(server.requests()[1].body, b"");
}

#[tokio::test]
async fn containers_of_a_bucket_are_folders_and_the_bucket_is_not_made() {
    let server = Server::always(NO_BUCKET).await;
    let container = container("//bucket/a", &server, &[]);
    let fault = write(&container, "x", Condition::Always).await.unwrap_err();
    assert!(matches!(fault, Fault::Storage(StorageFault::Missing, _)), "{fault:?}");
    assert!(container.read("x", 1).await.unwrap().is_none());
    assert!(container.list("", None, 1).await.unwrap().is_empty());
    assert_eq!(container.count(1).await.unwrap(), None);
    assert_eq!(
        server.lines()[..2],
        ["PUT /bucket/a/snippets/x HTTP/1.1", "GET /bucket/a/snippets/x HTTP/1.1"]
    );
}

#[tokio::test]
async fn a_conditional_write_does_not_conflict_with_itself() {
    let conditions = [Condition::Absent, Condition::Unchanged("\"0\"".to_owned())];
    for condition in conditions {
        // The first try was carried out, and nobody knows.
        for first in [
            Answer::Lost,
            Answer::Whole(408, "", ""),
            Answer::Whole(500, "", ""),
            Answer::Whole(504, "", ""),
            // A proxy says so of what it sent on.
            Answer::Whole(503, "", "upstream connect error or disconnect/reset before headers"),
        ] {
            let server = Server::once(first, Answer::Whole(412, "", "")).await;
            let written = write(&container("", &server, &[]), "x", condition.clone()).await;
            assert!(matches!(written, Err(Fault::Storage(..))), "{written:?}");
            assert_eq!(server.requests().len(), 1);
        }
        // The server says that it did nothing.
        for first in [
            Answer::Whole(429, "", ""),
            Answer::Whole(503, "", "<Error><Code>SlowDown</Code></Error>"),
            IN_THE_WAY,
        ] {
            let server = Server::start(move |_: &Request, n_before| match n_before {
                0 => first.clone(),
                _ => Answer::Whole(200, "", ""),
            })
            .await;
            write(&container("", &server, &[]), "x", condition.clone()).await.unwrap();
        }
        // What is in the way is no conflict, however long it stays.
        let server = Server::always(IN_THE_WAY).await;
        let written = write(&container("", &server, &[]), "x", condition.clone()).await;
        assert!(matches!(written, Err(Fault::Storage(StorageFault::Throttled, _))), "{written:?}");
        assert_eq!(server.requests().len(), 3);
        let server = Server::always(Answer::Whole(412, "", "")).await;
        let written = write(&container("", &server, &[]), "x", condition).await;
        assert!(matches!(written, Err(Fault::Conflict)), "{written:?}");
    }
}

#[tokio::test]
async fn a_write_without_a_condition_is_tried_again() {
    let statuses = [408, 429, 500, 503].map(|status| Answer::Whole(status, "", ""));
    for first in statuses.into_iter().chain([Answer::Lost]) {
        let server = Server::start(move |_: &Request, n_before| match n_before {
            0 => first.clone(),
            _ => Answer::Whole(200, "", ""),
        })
        .await;
        write(&container("", &server, &[]), "x", Condition::Always).await.unwrap();
        assert_eq!(server.requests().len(), 2);
    }
}

#[test]
fn nothing_shows_a_key() {
    let service = Arc::new(parse("", &KEYS).unwrap());
    let container = open(&service, "snippets").unwrap();
    let shown = format!("{service:?} {container:?} {}", service.place());
    assert!(!shown.contains("SECRET"), "{shown}");
}

/// Takes the first part of an upload, and nothing more.
async fn takes_one_part() -> Server {
    const BEGUN: &str = "<InitiateMultipartUploadResult><Bucket>b</Bucket><Key>k</Key>\
                         <UploadId>1</UploadId></InitiateMultipartUploadResult>";
    Server::start(|request: &Request, _| match request.line() {
        line if line.starts_with("POST") && line.contains("uploads") => {
            Answer::Whole(200, "", BEGUN)
        }
        line if line.contains("partNumber=1&") => Answer::Whole(200, "", ""),
        line if line.starts_with("DELETE") => Answer::Whole(204, "", ""),
        _ => Answer::Silence,
    })
    .await
}

async fn received(server: &Server, needle: &str) {
    let seen = async {
        while !server.lines().iter().any(|line| line.contains(needle)) {
            tokio::task::yield_now().await;
        }
    };
    let found = tokio::time::timeout(Duration::from_secs(30), seen).await;
    assert!(found.is_ok(), "no `{needle}` in {:?}", server.lines());
}

#[tokio::test]
async fn an_upload_that_nobody_waits_for_is_taken_back() {
    let server = takes_one_part().await;
    let container = container("//bucket", &server, &[]);
    let bytes = Bytes::from(vec![0; 12 << 20]);
    let (condition, about) = (Condition::Always, About::default());
    let write = container.write("big", bytes, &condition, &about);
    tokio::select! {
        _ = write => panic!("the second part is never taken"),
        () = received(&server, "partNumber=2&") => {}
    }
    received(&server, "DELETE /bucket/snippets/big?uploadId=1").await;
}

#[tokio::test]
async fn a_stream_that_lacks_a_part_is_not_completed() {
    let server = takes_one_part().await;
    let container = container("//bucket", &server, &[]);
    let mut writing = Arc::clone(&container).begin("big", &About::default()).await.unwrap();
    let pieces = vec![0; 12 << 20];
    tokio::select! {
        _ = writing.write(&pieces) => panic!("the second part is never taken"),
        () = received(&server, "partNumber=2&") => {}
    }
    assert!(writing.complete().await.is_err());
    received(&server, "DELETE /bucket/snippets/big?uploadId=1").await;
    assert!(
        server.lines().iter().all(|line| !line.starts_with("POST /bucket/snippets/big?uploadId"))
    );
}

#[test]
fn settings_of_which_no_request_can_be_made_are_errors() {
    let refused = |rest: &str, more: &[(&str, &str)]| {
        parse(rest, &[&KEYS[..], more].concat()).map(|_| ()).unwrap_err()
    };
    assert_eq!(refused("//", &[]), refused("///", &[]));
    assert_eq!(
        refused("", &[("Store__endpoint", "http://127.0.0.1:1"), ("Store__pathStyle", "false")]),
        "the endpoint is a number, below which there are no names (remove the setting `Store__pathStyle`, or set it to \
         `true`)"
    );
    assert_eq!(
        refused("", &[("Store__sessionToken", "a\nb")]),
        "the setting `Store__sessionToken` holds a control character"
    );
    // A line break at the end is that of a file.
    parse("", &[&KEYS[..], &[("Store__sessionToken", "a\n")]].concat()).unwrap();
}

#[tokio::test]
async fn a_panic_of_the_library_is_a_fault_of_the_storage() {
    let settings = [&KEYS[..], &[("Store__endpoint", "http://localhost:99999")]].concat();
    let service = Arc::new(parse("", &settings).unwrap());
    let store = Store::Object(Arc::new(open(&service, "snippets").unwrap()));
    let read = store.read("a", 10).await;
    assert!(matches!(read, Err(Fault::Storage(StorageFault::Other, _))), "{read:?}");
}
