//! A service behind a binding: the host asks it, with a secret that no guest and no client ever sees.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use crate::harness::{Builder, Host};

const TOKEN: &str = "s3cret-of-the-owner";

/// A service that knows one town.
struct Service {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Service {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn({
            let asked = Arc::clone(&asked);
            async move {
                loop {
                    let (stream, _) = listener.accept().await.expect("a connection");
                    answer(stream, &asked).await;
                }
            }
        });
        Self { url, asked, task }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no test panics here").clone()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Takes one request, and closes.
async fn answer(mut stream: TcpStream, asked: &Mutex<Vec<String>>) {
    let mut request = String::new();
    let whole = |request: &str| {
        let (head, body) = request.split_once("\r\n\r\n")?;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        (body.len() >= length.map_or(0, |length| length.parse().expect("a length"))).then_some(())
    };
    while whole(&request).is_none() {
        let mut piece = [0; 4096];
        let n_read = stream.read(&mut piece).await.expect("the host sends");
        assert_ne!(n_read, 0, "the host sends all of it");
        request.push_str(std::str::from_utf8(&piece[..n_read]).expect("text"));
    }
    let (status, body) = match request.split(['/', '?', ' ']).nth(4) {
        Some("Z%C3%BCrich%20%28ZH%29") => ("200 OK", "21 degrees"),
        Some("elsewhere") => ("302 Found", ""),
        Some("broken") => ("500 Broken", "a stack trace with /etc/passwd"),
        Some("reports") => ("202 Accepted", ""),
        _ => ("404 Not Found", "no such town"),
    };
    asked.lock().expect("no test panics here").push(request);
    let reply = format!(
        "HTTP/1.1 {status}\r\nLocation: http://127.0.0.1:1/\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(reply.as_bytes()).await.expect("the host reads");
}

fn host_json(service: &Service) -> Value {
    json!({
        "version": "2.0",
        "connections": {
            "AzureWebJobsStorage": { "url": "file:./.mcpfn/storage" },
            "Weather": { "url": service.url, "headers": { "Authorization": "Bearer %WEATHER_TOKEN%" } },
        },
        "functions": {
            "weather": { "bindings": [{
                "type": "http", "direction": "in", "name": "forecast", "connection": "Weather",
                "path": "/town/{mcptoolargs.town}?units={mcptoolargs.units=metric}",
            }] },
            "report": { "bindings": [
                { "type": "http", "direction": "out", "name": "sent", "connection": "Weather", "path": "/for/reports",
                  "dataType": "string" },
                { "type": "queue", "direction": "out", "name": "job", "queueName": "charts" },
            ] },
        },
    })
}

fn host(json: Value) -> Builder {
    Host::builder()
        .programs(&["asks_service"])
        .host_json(json)
        .environment("WEATHER_TOKEN", TOKEN)
        .environment("NO_PROXY", "127.0.0.1")
}

#[tokio::test]
async fn a_service_is_asked_below_its_url_and_with_the_secret() {
    let service = Service::start().await;
    let host = host(host_json(&service)).start().await;
    let text = host.call_text("weather", json!({ "town": "Zürich (ZH)" })).await;
    assert_eq!(text, "21 degrees");
    let error = host.call_error("weather", json!({ "town": "../../admin#x?y=" })).await;
    assert!(error.contains("argument `town` cannot be part of a URL"), "{error}");
    let text = host.call_text("weather", json!({ "town": "a?b=c&d#e", "units": "&k=v" })).await;
    assert_eq!(text, "nobody knows `a?b=c&d#e`");
    let asked = service.asked();
    let lines: Vec<_> =
        asked.iter().map(|request| request.lines().next().expect("a line")).collect();
    assert_eq!(
        lines,
        [
            "GET /v1/town/Z%C3%BCrich%20%28ZH%29?units=metric HTTP/1.1",
            "GET /v1/town/a%3Fb%3Dc%26d%23e?units=%26k%3Dv HTTP/1.1",
        ]
    );
    let header = format!("authorization: Bearer {TOKEN}");
    assert!(asked.iter().all(|request| request.lines().any(|line| line == header)), "{asked:?}");
}

#[tokio::test]
async fn trouble_is_one_sentence_without_address_and_secret_and_is_over_when_it_is_over() {
    let service = Service::start().await;
    let host = host(host_json(&service)).start().await;
    let mut errors = Vec::new();
    for (town, expected) in [
        ("elsewhere", "answered 302, a redirect, and redirects are not followed"),
        ("broken", "answered 500"),
    ] {
        let error = host.call_error("weather", json!({ "town": town })).await;
        let expected = format!(
            "input `forecast` was not read: the service of connection `Weather` {expected} ("
        );
        assert!(error.starts_with(&expected), "{error}");
        errors.push(error);
    }
    let address = service.url.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let asked = Arc::clone(&service.asked);
    drop(service);
    let error = host.call_error("weather", json!({ "town": "x" })).await;
    assert!(error.contains("the service of connection `Weather` cannot be reached ("), "{error}");
    errors.push(error);
    let listener = TcpListener::bind(&address).await.expect("the same port");
    let task = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("a connection");
        answer(stream, &asked).await;
    });
    let text = host.call_text("weather", json!({ "town": "Zürich (ZH)" })).await;
    assert_eq!(text, "21 degrees");
    task.await.expect("it answered");
    for text in errors.iter().chain(&host.log_lines()) {
        assert!(!text.contains(TOKEN) && !text.contains("/etc/passwd"), "{text}");
    }
    assert!(!errors.iter().any(|error| error.contains(&address)), "{errors:?}");
}

#[tokio::test]
async fn outputs_are_sent_in_order_and_a_message_waits_in_a_folder() {
    let service = Service::start().await;
    let host = host(host_json(&service)).start().await;
    assert_eq!(
        host.call_text("report", json!({ "town": "Bern", "seen": "rain" })).await,
        "reported"
    );
    let request = service.asked().pop().expect("a request");
    assert!(request.starts_with("POST /v1/for/reports HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("\r\ncontent-type: text/plain; charset=utf-8\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\nrain"), "{request}");
    let queue = host.folder().join(".mcpfn/storage/.mcpfn-queues/charts");
    let files: Vec<_> = std::fs::read_dir(queue)
        .expect("the queue")
        .map(|entry| std::fs::read_to_string(entry.expect("an entry").path()).expect("a message"))
        .collect();
    assert_eq!(files, ["draw Bern"]);
}

#[tokio::test]
async fn a_secret_in_host_json_is_an_error_that_names_the_place_and_not_the_secret() {
    let service = Service::start().await;
    let mut json = host_json(&service);
    json["connections"]["Weather"]["headers"]["Authorization"] = json!(format!("Bearer {TOKEN}"));
    let finished = host(json).run(&["check"]).await;
    assert_eq!(finished.code, Some(2), "{}", finished.stderr);
    assert!(finished.stderr.contains("/connections/Weather/headers"), "{}", finished.stderr);
    assert!(finished.stderr.contains("write `%SETTING%`"), "{}", finished.stderr);
    assert!(!finished.stderr.contains(TOKEN), "{}", finished.stderr);
}
