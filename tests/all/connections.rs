//! How connections end: by the client, and by a host that stops.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::Host;

/// Asks for a call that takes this long, on a connection of its own; returns once the host is at it.
async fn ask_to_sleep(host: &Host, duration: Duration) -> TcpStream {
    let params = json!({ "name": "sleeps", "arguments": { "ms": duration.as_millis() } });
    let body =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream =
        TcpStream::connect(("127.0.0.1", host.port())).await.expect("the host listens");
    stream.write_all(head.as_bytes()).await.expect("the host reads");
    let mut go_on = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut go_on).await.expect("the host asks for the body");
    stream.write_all(body.as_bytes()).await.expect("the host reads");
    stream
}

#[tokio::test]
async fn the_last_reply_is_written_before_the_host_stops() {
    let host = Host::start(&["sleepy"]).await;
    let mut stream = ask_to_sleep(&host, Duration::from_secs(2)).await;
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
}

#[tokio::test]
async fn a_client_that_goes_away_ends_its_call() {
    let host = Host::start(&["sleepy"]).await;
    let asking = ask_to_sleep(&host, Duration::from_secs(25)).await;
    host.logged("sleeping").await;
    drop(asking);
    host.logged("outcome=\"cancelled\"").await;
    let stopping = Instant::now();
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    assert!(
        stopping.elapsed() < Duration::from_secs(15),
        "the host waited for a call that nobody waits for"
    );
}

#[tokio::test]
async fn a_silent_connection_does_not_keep_the_host_from_stopping() {
    let host = Host::start(&["echo"]).await;
    let mut used = host.connect().await;
    used.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    let _unused = TcpStream::connect(("127.0.0.1", host.port())).await.unwrap();
    host.post_legacy("ping", json!({})).await;
    let stopping = Instant::now();
    let (status, _folder) = host.stop().await;
    assert!(status.success(), "{status}");
    assert!(
        stopping.elapsed() < Duration::from_secs(15),
        "the host waited for a request that never came"
    );
}
