//! What the settings of a `gs:` connection make of it, and how it tells versions.

use bytes::Bytes;

use super::*;
use crate::{
    binding::{
        StorageFault,
        blob::{
            fault::Fault,
            server::{Answer, Request, Server},
            store::About,
        },
    },
    function::Condition,
};

fn parse(rest: &str, settings: &[(&str, &str)]) -> Result<Service, String> {
    let lookup = |name: &str| {
        settings.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    Service::parse(rest, &Parts::new("Store", &lookup))
}

#[test]
fn what_cannot_work_is_one_sentence_that_holds_no_secret() {
    let check = |rest: &str, settings: &[(&str, &str)], reason: &str| {
        assert_eq!(parse(rest, settings).unwrap_err(), reason);
    };
    check("bucket", &[], "cannot be read (expected `gs:` or `gs://BUCKET/FOLDER`)");
    check(
        "//bucket",
        &[("Store__serviceAccountKey", "SECRET")],
        "the setting `Store__serviceAccountKey` is no service account key (expected the JSON that Google gives)",
    );
    check(
        "//bucket",
        &[("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/SECRET")],
        "the file that `GOOGLE_APPLICATION_CREDENTIALS` names holds no usable credentials",
    );
    check(
        "",
        &[("Store__endpoint", "SECRET")],
        "the setting `Store__endpoint` is no http or https address",
    );
    check(
        "",
        &[("Store__accessKeyId", "x")],
        "the setting `Store__accessKeyId` does not go with a `gs:` connection",
    );
}

#[tokio::test]
async fn a_version_is_a_generation_and_the_bucket_is_not_made() {
    let server = Server::start(|request: &Request, _| match request.line() {
        line if line.contains("missing") => Answer::Whole(404, "", ""),
        line if line.starts_with("GET") => Answer::Whole(200, "x-goog-generation: 7\r\n", "x"),
        _ if request.header("x-goog-if-generation-match") == Some("7") => {
            Answer::Whole(200, "x-goog-generation: 8\r\n", "")
        }
        _ => Answer::Whole(412, "", ""),
    })
    .await;
    let service = parse("//bucket/a", &[("Store__endpoint", &server.address)]).unwrap();
    assert_eq!(service.place(), format!("gs://bucket/a at {} (unsigned)", server.address));
    let service = Arc::new(service);
    let container = Arc::new(open(&service, "snippets").unwrap());
    let (_, stat) = container.read("é", 10).await.unwrap().unwrap();
    assert_eq!(stat.etag.as_deref(), Some("7"));
    let write = async |name: &str, condition: Condition| {
        container.write(name, Bytes::from_static(b"x"), &condition, &About::default()).await
    };
    let written = write("é", Condition::Unchanged("7".to_owned())).await.unwrap();
    assert_eq!(written.as_deref(), Some("8"));
    let stale = write("é", Condition::Unchanged("6".to_owned())).await;
    assert!(matches!(stale, Err(Fault::Conflict)), "{stale:?}");
    let there = write("é", Condition::Absent).await;
    assert!(matches!(there, Err(Fault::Conflict)), "{there:?}");
    let missing = write("missing", Condition::Always).await;
    assert!(matches!(missing, Err(Fault::Storage(StorageFault::Missing, _))), "{missing:?}");
    for request in server.requests() {
        // A write says so without a token.
        let token = request.header("authorization").unwrap_or("Bearer").trim();
        assert_eq!(token, "Bearer");
    }
    let lines = server.lines();
    assert_eq!(lines[0], "GET /bucket/a%2Fsnippets%2F%C3%A9 HTTP/1.1");
}

#[tokio::test]
async fn a_conditional_write_does_not_conflict_with_itself() {
    let conditions = [Condition::Absent, Condition::Unchanged("7".to_owned())];
    for condition in conditions {
        // Only the last says that nothing was done.
        for (first, n_asked) in [
            (Answer::Lost, 1),
            (Answer::Whole(408, "", ""), 1),
            (Answer::Whole(500, "", ""), 1),
            (Answer::Whole(503, "", "<Error><Code>ServiceUnavailable</Code></Error>"), 1),
            (Answer::Whole(503, "", "<Error><Code>SlowDown</Code></Error>"), 2),
        ] {
            let server = Server::once(first, Answer::Whole(412, "", "")).await;
            let service = parse("//bucket", &[("Store__endpoint", &server.address)]).unwrap();
            let container = Arc::new(open(&Arc::new(service), "snippets").unwrap());
            let bytes = Bytes::from_static(b"x");
            let written = container.write("x", bytes, &condition, &About::default()).await;
            let is_conflict = matches!(written, Err(Fault::Conflict));
            assert_eq!(
                (is_conflict, server.requests().len()),
                (n_asked == 2, n_asked),
                "{written:?}"
            );
        }
    }
}
