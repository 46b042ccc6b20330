//! What is no message, or may not be asked: the right status and code, and the host goes on.

use serde_json::json;

use crate::harness::{Host, Response};

const PING: &[u8] = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// A request with exactly this first line and these header lines, and the length of its body.
fn bytes(line: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let length = format!("Content-Length: {}", body.len());
    let head = [&[line], headers, &[&length, "", ""]].concat().join("\r\n");
    [head.as_bytes(), body].concat()
}

fn check(response: &Response, status: u16, code: i64) {
    let what = (response.status, response.body["error"]["code"].as_i64());
    assert_eq!(what, (status, Some(code)), "{}", response.text);
    assert_eq!(response.header("content-type"), Some("application/json"));
}

async fn check_body(host: &Host, body: &[u8], code: i64) {
    check(&host.post(&[], body).await, 400, code);
}

#[tokio::test]
async fn what_is_not_json_is_a_parse_error() {
    let host = Host::start(&["echo"]).await;
    for body in [
        "",
        "{",
        "nonsense",
        "{'jsonrpc':'2.0'}",
        r#"{"jsonrpc":"2.0",}"#,
        "{} {}",
        "\u{feff}{}",
        "\0",
    ] {
        check_body(&host, body.as_bytes(), -32700).await;
    }
    check_body(&host, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}", -32700).await;
}

#[tokio::test]
async fn what_nests_without_end_is_a_parse_error() {
    let host = Host::start(&["echo"]).await;
    let bomb = "[".repeat(1_000_000);
    check_body(&host, bomb.as_bytes(), -32700).await;
    let arguments = format!(r#"{{"text":{}1{}}}"#, "[".repeat(1000), "]".repeat(1000));
    let params = format!(r#"{{"name":"echo","arguments":{arguments}}}"#);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    check_body(&host, body.as_bytes(), -32700).await;
    assert_eq!(host.post(&[], PING).await.status, 200);
}

#[tokio::test]
async fn what_is_no_request_is_an_invalid_request() {
    let host = Host::start(&["echo"]).await;
    for body in [
        "1",
        "null",
        "[]",
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        r#"["2.0",1,"ping"]"#,
        "{}",
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":2}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":1}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
    ] {
        check_body(&host, body.as_bytes(), -32600).await;
    }
}

#[tokio::test]
async fn an_id_comes_back_as_it_was_written() {
    let host = Host::start(&["echo"]).await;
    for id in ["1", "-5", "123456789012345678901234567890", r#""a\"b""#, r#""""#] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let response = host.post(&[], body.as_bytes()).await;
        assert!(response.text.contains(&format!(r#""id":{id},"#)), "{}", response.text);
    }
    let response = host.post(&[], br#"{"jsonrpc":"2.0","id":7,"method":1}"#).await;
    assert_eq!(response.body["id"], 7);
}

#[tokio::test]
async fn a_body_of_another_type_is_415() {
    let host = Host::start(&["echo"]).await;
    for content_type in [
        &["Content-Type: text/plain"][..],
        &["Content-Type: application/x-www-form-urlencoded"],
        &[],
    ] {
        let headers = [&["Host: localhost"], content_type].concat();
        check(&host.raw(&bytes("POST /mcp HTTP/1.1", &headers, PING)).await, 415, -32600);
    }
    let headers = ["Host: localhost", "Content-Type: application/json; charset=utf-8"];
    assert_eq!(host.raw(&bytes("POST /mcp HTTP/1.1", &headers, PING)).await.status, 200);
}

#[tokio::test]
async fn a_client_that_takes_neither_type_gets_406_and_any_other_is_served() {
    let host = Host::start(&["echo"]).await;
    let post = async |accept: &str| {
        let headers = ["Host: localhost", "Content-Type: application/json", accept];
        host.raw(&bytes("POST /mcp HTTP/1.1", &headers, PING)).await
    };
    check(&post("Accept: text/html").await, 406, -32600);
    check(&post("Accept: application/json;q=0").await, 406, -32600);
    for accept in
        ["Accept: */*", "Accept: application/json", "Accept: text/event-stream", "X-No: accept"]
    {
        assert_eq!(post(accept).await.status, 200, "{accept}");
    }
}

#[tokio::test]
async fn a_name_of_another_host_is_403() {
    let host = Host::start(&["echo"]).await;
    let json = "Content-Type: application/json";
    for name in ["Host: evil.example", "Host: evil.example:7071", "Host: localhost.evil.example"] {
        let response = host.raw(&bytes("POST /mcp HTTP/1.1", &[name, json], PING)).await;
        check(&response, 403, -32600);
        assert!(response.text.contains("Host header"), "{}", response.text);
    }
    check(&host.raw(&bytes("POST /mcp HTTP/1.1", &[json], PING)).await, 400, -32600);
    check(
        &host
            .raw(&bytes("POST /mcp HTTP/1.1", &["Host: localhost", "Host: localhost", json], PING))
            .await,
        400,
        -32600,
    );
    for name in ["Host: localhost", "Host: 127.0.0.1:1", "Host: [::1]:7071"] {
        assert_eq!(
            host.raw(&bytes("POST /mcp HTTP/1.1", &[name, json], PING)).await.status,
            200,
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_page_of_another_site_is_403() {
    let host = Host::start(&["echo"]).await;
    for origin in ["http://evil.example", "https://localhost.evil.example", "null", "file://"] {
        let response = host.post(&[("Origin", origin)], PING).await;
        check(&response, 403, -32600);
        assert!(response.text.contains("Origin header"), "{}", response.text);
        assert_eq!(response.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn a_page_on_this_machine_may_ask_and_read() {
    let host = Host::start(&["echo"]).await;
    let origin = "http://localhost:6274";
    let response = host.post(&[("Origin", origin)], PING).await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("access-control-allow-origin"), Some(origin));
    assert_eq!(response.header("access-control-expose-headers"), Some("Mcp-Session-Id"));
    let headers = [
        "Host: localhost",
        "Origin: http://localhost:6274",
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: content-type,mcp-param-region",
    ];
    let response = host.raw(&bytes("OPTIONS /mcp HTTP/1.1", &headers, b"")).await;
    assert_eq!(response.status, 204);
    assert_eq!(response.header("access-control-allow-origin"), Some(origin));
    assert_eq!(
        response.header("access-control-allow-headers"),
        Some("content-type,mcp-param-region")
    );
}

#[tokio::test]
async fn a_page_on_this_machine_may_read_why_it_is_rejected() {
    let host = Host::start(&["echo"]).await;
    let origin = "Origin: http://localhost";
    for (line, status) in [
        ("GET /mcp HTTP/1.1", 405),
        ("DELETE /mcp HTTP/1.1", 405),
        ("POST /mcp HTTP/1.1", 415),
        ("POST /nothing HTTP/1.1", 404),
        ("POST /readyz HTTP/1.1", 405),
        ("GET /readyz HTTP/1.1", 200),
    ] {
        let response = host.raw(&bytes(line, &["Host: localhost", origin], b"")).await;
        assert_eq!(response.status, status, "{line}");
        let reader = response.header("access-control-allow-origin");
        assert_eq!(reader, Some("http://localhost"), "{line}");
    }
    // A probe asks nobody who they are, and still lets no other site read.
    for line in ["GET /readyz HTTP/1.1", "POST /readyz HTTP/1.1"] {
        let response = host.raw(&bytes(line, &["Origin: http://evil.example"], b"")).await;
        assert_eq!(response.header("access-control-allow-origin"), None, "{line}");
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_and_the_host_goes_on() {
    let host = Host::start(&["echo"]).await;
    let text = "x".repeat(5 << 20);
    let body =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "x": text } }).to_string();
    check(&host.post(&[], body.as_bytes()).await, 413, -32600);

    // Without a length it is found while it is read.
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Transfer-Encoding: chunked\r\n\r\n";
    let mut chunked = head.as_bytes().to_vec();
    for part in body.as_bytes().chunks(1 << 20) {
        chunked.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
        chunked.extend_from_slice(part);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    check(&host.raw(&chunked).await, 413, -32600);
    assert_eq!(host.post(&[], PING).await.status, 200);
}

#[tokio::test]
async fn a_body_in_parts_is_put_together() {
    let host = Host::start(&["echo"]).await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Transfer-Encoding: chunked\r\n\r\n";
    let (first, second) = PING.split_at(17);
    let mut chunked = head.as_bytes().to_vec();
    for part in [first, second] {
        chunked.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
        chunked.extend_from_slice(part);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    let response = host.raw(&chunked).await;
    assert_eq!(response.body["result"], json!({}), "{}", response.text);
}

#[tokio::test]
async fn a_client_that_waits_to_be_asked_for_a_long_body_is_told_at_once() {
    let host = Host::start(&["echo"]).await;
    let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n";
    check(&host.raw(head.as_bytes()).await, 413, -32600);
}

#[tokio::test]
async fn a_path_that_is_not_there_is_404() {
    let host = Host::start(&["echo"]).await;
    let headers = ["Host: localhost", "Content-Type: application/json"];
    for path in ["/", "/mcp/x", "/MCP", "/sse/x"] {
        check(
            &host.raw(&bytes(&format!("POST {path} HTTP/1.1"), &headers, PING)).await,
            404,
            -32600,
        );
    }
}

#[tokio::test]
async fn probes_say_that_the_host_lives() {
    let host = Host::start(&["echo"]).await;
    for path in ["/healthz", "/readyz"] {
        // A probe comes by the address of a machine.
        let response =
            host.raw(&bytes(&format!("GET {path} HTTP/1.1"), &["Host: 10.0.0.7:7071"], b"")).await;
        assert_eq!((response.status, response.text.as_str()), (200, "ok\n"), "{path}");
        let response = host.raw(&bytes(&format!("POST {path} HTTP/1.1"), &[], b"")).await;
        check(&response, 405, -32600);
        assert_eq!(response.header("allow"), Some("GET, HEAD"), "{path}");
    }
}

#[tokio::test]
async fn what_is_not_http_is_400() {
    let host = Host::start(&["echo"]).await;
    assert_eq!(host.raw(b"hello\r\n\r\n").await.status, 400);
    assert_eq!(host.post(&[], PING).await.status, 200);
}

#[tokio::test]
async fn a_refused_message_does_not_end_the_connection() {
    let host = Host::start(&["echo"]).await;
    let mut connection = host.connect().await;
    let good =
        bytes("POST /mcp HTTP/1.1", &["Host: localhost", "Content-Type: application/json"], PING);
    let not_json =
        bytes("POST /mcp HTTP/1.1", &["Host: localhost", "Content-Type: application/json"], b"{");
    let wrong_type =
        bytes("POST /mcp HTTP/1.1", &["Host: localhost", "Content-Type: text/plain"], PING);
    for (bytes, status) in
        [(&good, 200), (&not_json, 400), (&good, 200), (&wrong_type, 415), (&good, 200)]
    {
        assert_eq!(connection.send(bytes).await.status, status);
    }
}
