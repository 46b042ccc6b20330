//! What the type `http` must do, against servers of this process, through the registry, as the host does.

mod loading;

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use proptest::{prop_assert, prop_assert_eq, proptest, test_runner::Config as ProptestConfig};
use serde_json::{Value as JsonValue, json};
use tokio::net::TcpListener;

use crate::{
    binding::{
        BindingError, Connections, DeclarationError, Memory, Registry, Scope, StorageFault,
        contract::{declaration, schema, whole, with_name},
        expression::Replaced,
        local_server::{LocalServer, answer},
        scope::Root,
    },
    function::{BindingDecl, Direction, Origin, Value},
};

const SETTINGS: &[(&str, &str)] = &[
    ("TOKEN", "s3cret"),
    ("BROKEN", "a\nb"),
    ("SERVICE", "https://api.example.com/v1"),
    ("SettingOnly", "https://evil.example"),
];

/// A connection: its name, its url and its headers.
type Given<'g> = (&'g str, &'g str, &'g [(&'g str, &'g str)]);

/// A registry with these connections.
fn registry(connections: &[Given<'_>]) -> Result<Registry, DeclarationError> {
    let owned = |text: &str| text.to_owned();
    let pairs = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| (owned(name), owned(value))).collect::<Vec<_>>()
    };
    Registry::new(Connections {
        root: "/nowhere".into(),
        urls: connections.iter().map(|(name, url, _)| (owned(name), owned(url))).collect(),
        headers: connections.iter().map(|(name, _, own)| (owned(name), pairs(own))).collect(),
        settings: Arc::new(|name| {
            SETTINGS.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        }),
        memory: Memory::default(),
    })
}

/// A registry whose connection `Weather` leads to a server.
fn to(server: &LocalServer) -> Registry {
    let url = format!("http://{}/v1?k=%TOKEN%", server.address);
    registry(&[("Weather", &url, &[("Authorization", "Bearer %TOKEN%")])]).unwrap()
}

fn weather(direction: Direction, mut config: JsonValue) -> BindingDecl {
    if config.get("connection").is_none() {
        config["connection"] = json!("Weather");
    }
    BindingDecl { origin: Origin::Component, ..declaration("http", direction, config) }
}

async fn get(
    registry: &Registry,
    config: JsonValue,
    name: &str,
) -> Result<Option<Value>, BindingError> {
    let declared = weather(Direction::Input, config);
    let input = registry.input(&declared, &Scope::new(Root::Tool, &schema())).unwrap();
    let Some(target) = with_name(name, |data| input.resolve(data))? else { return Ok(None) };
    Ok(input.read(&target).await?.map(whole))
}

async fn send(registry: &Registry, config: JsonValue, body: &[u8]) -> Result<(), BindingError> {
    let declared = weather(Direction::Output, config);
    let output = registry.output(&declared, &Scope::new(Root::Tool, &schema())).unwrap();
    let target = with_name("a b", |data| output.resolve(data))?.unwrap();
    output.write(&target, body, None).await
}

#[tokio::test]
async fn an_input_is_what_the_service_answers_and_the_secret_goes_to_it() {
    let server = LocalServer::answering(|_, _| answer("200 OK", "{\"c\":21}")).await;
    let registry = to(&server);
    let config = json!({
        "path": "/of/{mcptoolargs.name}?q={mcptoolargs.name}&u={mcptoolargs.other=a b}&x=%20",
        "headers": {"Accept": "application/json", "X-Town": "{mcptoolargs.name}", "X-Other": "{mcptoolargs.other}"},
    });
    let read = get(&registry, config.clone(), "a/b&c=d").await.unwrap();
    assert_eq!(read, Some(Value::Text("{\"c\":21}".to_owned())));
    let request = server.asked().remove(0);
    let line = "GET /v1/of/a%2Fb%26c%3Dd?k=s3cret&q=a%2Fb%26c%3Dd&u=a%20b&x=%20 HTTP/1.1";
    assert_eq!(request.lines().next(), Some(line));
    let headers = [
        "authorization: Bearer s3cret",
        "accept: application/json",
        "x-town: a/b&c=d",
        concat!("user-agent: mcpfn/", env!("CARGO_PKG_VERSION")),
    ];
    for header in headers {
        assert!(request.lines().any(|line| line == header), "{request}");
    }
    assert!(!request.contains("x-other"), "what is made of something missing is left out");
    get(&registry, config, "a").await.unwrap();
    assert_eq!(server.n_sockets(), 1, "the socket is used again");
}

#[tokio::test]
async fn data_types_are_kept_to() {
    let server = LocalServer::answering(|request, _| {
        answer("200 OK", if request.contains("/json") { "[1]" } else { "no JSON" })
    })
    .await;
    let registry = to(&server);
    let read =
        |path: &str, kind: &str| get(&registry, json!({"path": path, "dataType": kind}), "a");
    assert_eq!(read("/x", "binary").await.unwrap(), Some(Value::Bytes(b"no JSON".to_vec())));
    assert_eq!(read("/json", "json").await.unwrap(), Some(Value::Json("[1]".to_owned())));
    let error = read("/x", "json").await.unwrap_err();
    let message = error.public_message();
    assert!(
        message.starts_with("the answer of the service is not JSON: expected ident"),
        "{message}"
    );
}

#[tokio::test]
async fn what_is_not_there_is_none_and_all_else_an_error_with_one_sentence() {
    let server = LocalServer::answering(|request, _| {
        let status = request.split(['/', '?']).nth(2).unwrap();
        // A body there would be the beginning of the next answer.
        let body = if status == "204" { "\r\n" } else { "content-length: 4\r\n\r\nbody" };
        format!("HTTP/1.1 {status} X\r\nlocation: http://127.0.0.1:1/stolen\r\n{body}")
    })
    .await;
    let registry = to(&server);
    for status in ["404", "410", "204"] {
        assert_eq!(get(&registry, json!({"path": format!("/{status}")}), "a").await.unwrap(), None);
    }
    for (status, remark) in [
        ("302", ", a redirect, and redirects are not followed"),
        ("308", ", a redirect, and redirects are not followed"),
        ("400", ""),
        ("401", ""),
        ("403", ""),
        ("500", ""),
    ] {
        let before = server.asked().len();
        let error = get(&registry, json!({"path": format!("/{status}")}), "a").await.unwrap_err();
        assert_eq!(
            error.public_message(),
            format!("the service of connection `Weather` answered {status}{remark}")
        );
        let has_remedy = error.to_string().ends_with("`headers` of the connection");
        assert_eq!(has_remedy, ["401", "403"].contains(&status), "{error}");
        assert_eq!(server.asked().len(), before + 1, "{status} is asked once");
    }
    let error =
        send(&registry, json!({"path": "/404", "dataType": "string"}), b"x").await.unwrap_err();
    assert_eq!(error.public_message(), "the service of connection `Weather` answered 404");
}

#[tokio::test]
async fn a_service_that_is_away_for_a_moment_is_asked_again_for_what_changes_nothing() {
    let server = LocalServer::answering(|request, n_before| {
        let away = ["503 Away", "429 Busy", "200 OK"];
        let status =
            if request.starts_with("GET /v1/for-ever") { "502 Bad" } else { away[n_before.min(2)] };
        answer(status, "here")
    })
    .await;
    let registry = to(&server);
    let read = get(&registry, json!({"path": "/x"}), "a").await.unwrap();
    assert_eq!((read, server.asked().len()), (Some(Value::Text("here".to_owned())), 3));
    let error = get(&registry, json!({"path": "/for-ever"}), "a").await.unwrap_err();
    assert_eq!(error.public_message(), "the service of connection `Weather` answered 502");
    assert_eq!(server.asked().len(), 6);

    let server = LocalServer::answering(|_, _| answer("503 Away", "")).await;
    let error = send(&to(&server), json!({"path": "/x"}), b"1").await.unwrap_err();
    assert_eq!(error.public_message(), "the service of connection `Weather` answered 503");
    assert_eq!(server.asked().len(), 1, "what changes something is asked once");
}

#[tokio::test]
async fn nobody_there_and_nobody_who_answers_are_told_apart() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let registry = registry(&[("Weather", &url, &[])]).unwrap();
    // Connections are made by the system; nobody takes them.
    let config = json!({"path": "/x?secret", "timeout": 1});
    let error = get(&registry, config.clone(), "a").await.unwrap_err();
    assert!(matches!(error, BindingError::Service { kind: StorageFault::Timeout, .. }));
    let sentence = "the service of connection `Weather` did not answer in time";
    assert_eq!(error.public_message(), sentence);
    let error = send(&registry, config.clone(), b"1").await.unwrap_err();
    assert_eq!(error.public_message(), sentence);
    drop(listener);
    let error = get(&registry, config, "a").await.unwrap_err();
    assert_eq!(error.public_message(), "the service of connection `Weather` cannot be reached");
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}

#[tokio::test]
async fn an_answer_is_read_up_to_its_limit() {
    let server = LocalServer::answering(|request, _| {
        if request.contains("chunked") {
            return "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n".to_owned();
        }
        answer("200 OK", "abcdef")
    })
    .await;
    let registry = to(&server);
    for path in ["/x", "/chunked"] {
        let read = get(&registry, json!({"path": path, "maxBytes": 6}), "a").await.unwrap();
        assert_eq!(read, Some(Value::Text("abcdef".to_owned())));
        let error = get(&registry, json!({"path": path, "maxBytes": 5}), "a").await.unwrap_err();
        assert_eq!(error.public_message(), "the answer of the service is larger than 5 bytes");
    }
}

#[tokio::test]
async fn an_output_is_sent_as_what_it_was_declared() {
    let server = LocalServer::answering(|_, _| answer("201 Created", "ignored")).await;
    let registry = to(&server);
    let sent = async |config: JsonValue, body: &[u8]| {
        send(&registry, config, body).await.unwrap();
        let request = server.asked().pop().unwrap();
        let kind = request.lines().find_map(|line| line.strip_prefix("content-type: "));
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        let line = head.lines().next().unwrap().trim_end_matches(" HTTP/1.1");
        (line.to_owned(), kind.map(str::to_owned), body.to_owned())
    };
    let expect = |line: &str, kind: Option<&str>, body: &str| {
        (line.to_owned(), kind.map(str::to_owned), body.to_owned())
    };
    let path = "/x/{mcptoolargs.name}";
    assert_eq!(
        sent(json!({"path": path}), b"{\"a\":1}").await,
        expect("POST /v1/x/a%20b?k=s3cret", Some("application/json"), "{\"a\":1}")
    );
    assert_eq!(
        sent(json!({"method": "PUT", "dataType": "string"}), b"text").await,
        expect("PUT /v1?k=s3cret", Some("text/plain; charset=utf-8"), "text")
    );
    assert_eq!(
        sent(json!({"method": "PATCH", "dataType": "binary"}), b"").await,
        expect("PATCH /v1?k=s3cret", Some("application/octet-stream"), "")
    );
    assert_eq!(
        sent(json!({"contentType": "text/markdown"}), b"# a").await,
        expect("POST /v1?k=s3cret", Some("text/markdown"), "# a")
    );
    assert_eq!(
        sent(json!({"path": path, "method": "DELETE"}), b"whatever").await,
        expect("DELETE /v1/x/a%20b?k=s3cret", None, "")
    );
    assert_eq!(server.n_sockets(), 1, "the socket is used again");
    let n_asked = server.asked().len();
    for (config, body, message) in [
        (
            json!({}),
            &b"text"[..],
            "the content is not JSON (declare `\"dataType\": \"string\"` or `contentType`)",
        ),
        (
            json!({"dataType": "string"}),
            &b"\xff"[..],
            "the content is not UTF-8 text (declare `\"dataType\": \"binary\"`)",
        ),
        (
            json!({"contentType": "application/merge-patch+json", "dataType": "json"}),
            &b"text"[..],
            "the content is not JSON (declare `\"dataType\": \"string\"` or `contentType`)",
        ),
    ] {
        assert_eq!(send(&registry, config, body).await.unwrap_err().public_message(), message);
    }
    assert_eq!(server.asked().len(), n_asked, "what is refused is not sent");
}

#[tokio::test]
async fn hostile_values_are_refused_before_anything_is_sent() {
    let server = LocalServer::answering(|_, _| answer("200 OK", "")).await;
    let registry = to(&server);
    for (path, name, message) in [
        (
            "/x/{mcptoolargs.name}",
            "..",
            "argument `name` cannot be part of a URL: it has a path segment `.` or `..`",
        ),
        (
            "/x/{mcptoolargs.name}",
            "a/../b",
            "argument `name` cannot be part of a URL: it has a path segment `.` or `..`",
        ),
        ("/x/{mcptoolargs.name}", "", "argument `name` cannot be part of a URL: it is empty"),
        (
            "/x/.{mcptoolargs.name}",
            ".",
            "argument `name` cannot be part of a URL: it has a path segment `.` or `..`",
        ),
        (
            "/..{mcptoolargs.name}",
            "/x",
            "argument `name` makes a URL that has a path segment `.` or `..`",
        ),
        (
            "/{mcptoolargs.name:path}",
            "a//b",
            "argument `name` cannot be part of a URL: it has an empty path segment",
        ),
    ] {
        let error = get(&registry, json!({"path": path}), name).await.unwrap_err();
        assert_eq!(error.public_message(), message);
    }
    for (name, message) in [
        ("a\r\nX: y", "argument `name` cannot be part of a text: it holds a control character"),
        ("é", "header `x-town` is not ASCII, and services take nothing else"),
    ] {
        let config = json!({"path": "/x", "headers": {"X-Town": "{mcptoolargs.name}"}});
        let error = get(&registry, config, name).await.unwrap_err();
        assert_eq!(error.public_message(), message);
    }
    assert_eq!(server.asked(), Vec::<String>::new());
}

/// Connections by the names `0`, `1` and so on, made once.
static BASES: [&str; 3] =
    ["https://api.example.com", "https://api.example.com:8443/v1/x", "http://[::1]:81/v1/?k=1"];
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    registry(&[("0", BASES[0], &[]), ("1", BASES[1], &[]), ("2", BASES[2], &[])]).unwrap()
});
const PATHS: [&str; 6] = [
    "/{mcptoolargs.name}",
    "/a{mcptoolargs.name}",
    "/.{mcptoolargs.name}/b",
    "/{mcptoolargs.name:path}",
    "?q={mcptoolargs.name}",
    "/..{mcptoolargs.name}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_value_leads_out_of_the_connection(
        value in r"(\PC|[./\\%?#@:&=]|%2e|%2f|%5c|\.\.|//|\u{202e}|\r\n){0,12}",
        base in 0_usize..3,
        path in 0_usize..6,
    ) {
        let declared = weather(Direction::Input, json!({"path": PATHS[path], "connection": base.to_string()}));
        let input = REGISTRY.input(&declared, &Scope::new(Root::Tool, &schema())).unwrap();
        if let Ok(target) = with_name(&value, |data| input.resolve(data)) {
            let target = target.unwrap();
            let below = super::base::Base::parse(&Replaced::nothing_in(BASES[base])).unwrap();
            let url = below.join(target.as_str()).unwrap();
            let expected: reqwest::Url = BASES[base].parse().unwrap();
            prop_assert_eq!(url.origin(), expected.origin());
            let prefix = expected.path().trim_end_matches('/');
            let rest = url.path().strip_prefix(prefix);
            prop_assert!(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
            prop_assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
            let decoded = url.path().to_ascii_lowercase().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/");
            prop_assert!(decoded.split('/').all(|segment| segment != "." && segment != ".."), "{}", url);
            // One value is one parameter.
            let n_pairs = url.query_pairs().count();
            prop_assert!(n_pairs <= 2, "{}", url);
        }
    }
}

#[tokio::test]
async fn host_json_may_put_a_setting_into_a_header() {
    let server = LocalServer::answering(|_, _| answer("200 OK", "")).await;
    let registry = to(&server);
    let mut declared = weather(Direction::Input, json!({"headers": {"X-Tenant": "%TOKEN%"}}));
    declared.origin = Origin::HostJson;
    let input = registry.input(&declared, &Scope::new(Root::Tool, &schema())).unwrap();
    let target = with_name("a", |data| input.resolve(data)).unwrap().unwrap();
    input.read(&target).await.unwrap();
    assert!(server.asked()[0].contains("\r\nx-tenant: s3cret\r\n"));
}

#[tokio::test]
async fn a_trickle_ends_in_time() {
    let server = LocalServer::answering(|_, _| {
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_owned()
    })
    .await;
    let begun = std::time::Instant::now();
    let error = get(&to(&server), json!({"path": "/x", "timeout": 1}), "a").await.unwrap_err();
    assert!(
        matches!(error, BindingError::Service { kind: StorageFault::Timeout, .. }),
        "{error:?}"
    );
    assert!(begun.elapsed() < Duration::from_secs(5));
}
