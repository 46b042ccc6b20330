//! Calls that their clients give up: how soon they end, and what is left of them.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpStream, time::sleep};

use crate::harness::{Host, Session, message, modern, processor_time};

/// How much a host may still compute for a call that nobody waits for: a measure that other processes cannot spoil.
const BOUND: Duration = Duration::from_millis(100);

const ROUNDS: usize = 100;

const LOOPING: &str = "looping";
const CANCELLED: &str = "outcome=\"cancelled\"";

fn spin() -> Value {
    json!({ "name": "loops_forever", "arguments": {} })
}

fn cancelled(id: &Value) -> Value {
    json!({ "requestId": id, "reason": "enough" })
}

/// One call at a time, and a busy one is never over by itself.
fn one_at_a_time() -> Value {
    json!({ "version": "2.0", "maxConcurrency": 1, "functionTimeout": "00:10:00" })
}

async fn send(host: &Host, request: &[u8]) -> TcpStream {
    let mut connection =
        TcpStream::connect(("127.0.0.1", host.port())).await.expect("the host listens");
    connection.write_all(request).await.expect("the host reads");
    connection
}

/// Computes nothing while nothing is asked.
async fn check_idle(pid: u32) {
    let before = processor_time(pid);
    // The interval that is measured.
    sleep(2 * BOUND).await;
    let computed = processor_time(pid).saturating_sub(before);
    assert!(computed < BOUND / 2, "the host computes for nobody ({computed:?})");
}

fn check_soon(pid: u32, before: Duration, round: usize) {
    let computed = processor_time(pid).saturating_sub(before);
    assert!(computed < BOUND, "the call went on for {computed:?} in round {round}");
}

#[tokio::test]
async fn closing_the_connection_ends_a_busy_call_every_time() {
    let host = Host::start(&["spin"]).await;
    let request = modern("tools/call", spin());
    for round in 1..=ROUNDS {
        let asking = send(&host, &request).await;
        host.logged_again(LOOPING, round).await;
        let before = processor_time(host.pid());
        drop(asking);
        host.logged_again(CANCELLED, round).await;
        check_soon(host.pid(), before, round);
    }
    check_idle(host.pid()).await;
}

#[tokio::test]
async fn closing_a_stream_ends_a_busy_call_every_time() {
    let host = Host::start(&["reports"]).await;
    let mut params = json!({ "name": "reports_then_spins", "arguments": {} });
    params["_meta"]["progressToken"] = json!(1);
    let request = modern("tools/call", params);
    for round in 1..=ROUNDS {
        let mut stream = host.open_stream(&request).await;
        stream.next_message().await;
        let before = processor_time(host.pid());
        drop(stream);
        host.logged_again(CANCELLED, round).await;
        check_soon(host.pid(), before, round);
    }
    check_idle(host.pid()).await;
}

#[tokio::test]
async fn a_notification_on_stdio_ends_a_busy_call_and_frees_its_place() {
    let mut host =
        Host::builder().programs(&["spin", "echo"]).host_json(one_at_a_time()).start_stdio();
    let echo = json!({ "name": "echo", "arguments": { "text": "on" } });
    for round in 1..=ROUNDS {
        let id = json!(round);
        host.send(&message(Some(&id), "tools/call", &spin())).await;
        host.logged_again(LOOPING, round).await;
        let before = processor_time(host.pid());
        host.send(&message(None, "notifications/cancelled", &cancelled(&id))).await;
        host.logged_again(CANCELLED, round).await;
        check_soon(host.pid(), before, round);
        // Answered although only one call may run; and nothing else is.
        host.send(&message(Some(&json!("next")), "tools/call", &echo)).await;
        assert_eq!(host.receive().await["id"], "next");
    }
    check_idle(host.pid()).await;
    let (status, rest) = host.close().await;
    assert!(status.success() && rest.is_empty(), "{status} {rest:?}");
}

#[tokio::test]
async fn a_notification_in_a_session_ends_a_busy_call_and_frees_its_place() {
    let host = Host::builder().programs(&["spin", "echo"]).host_json(one_at_a_time()).start().await;
    let session = Session::begin(&host).await;
    let echo = json!({ "name": "echo", "arguments": { "text": "on" } });
    for round in 1..=ROUNDS {
        let id = json!(round);
        let mut asking = host.connect().await;
        let asked = tokio::spawn({
            let request = session.request(&id, "tools/call", &spin());
            async move { asking.send(&request).await }
        });
        host.logged_again(LOOPING, round).await;
        let before = processor_time(host.pid());
        session.notify(&host, "notifications/cancelled", cancelled(&id)).await;
        host.logged_again(CANCELLED, round).await;
        check_soon(host.pid(), before, round);
        let response = asked.await.expect("the host answers");
        assert_eq!(response.text, "", "nothing is said for a call that was cancelled");
        let next = session.post(&host, json!("next"), "tools/call", echo.clone()).await;
        assert_eq!(next.body["id"], "next", "{}", next.text);
    }
    check_idle(host.pid()).await;
}

#[tokio::test]
async fn a_notification_in_a_session_ends_the_stream_of_a_call_without_an_answer() {
    let host = Host::start(&["spin"]).await;
    let session = Session::begin(&host).await;
    let id = json!("a call");
    let mut stream = session.open(&host, id.clone(), "tools/call", spin()).await;
    let primer = stream.next().await.expect("there is an event to come back for");
    session.notify(&host, "notifications/cancelled", cancelled(&id)).await;
    host.logged(CANCELLED).await;
    assert_eq!(stream.rest().await, []);
    // Who comes back is told nothing more.
    let response =
        host.raw(&session.get(&[("Last-Event-ID", &primer.id.expect("it has an id"))])).await;
    assert!(response.messages.is_empty(), "{}", response.text);
}

#[tokio::test]
async fn a_notification_that_overtakes_its_call_ends_it_too() {
    let host = Host::start(&["spin"]).await;
    let session = Session::begin(&host).await;
    let id = json!("slow");
    session.notify(&host, "notifications/cancelled", cancelled(&id)).await;
    let response = session.post(&host, id, "tools/call", spin()).await;
    assert_eq!(response.text, "", "nothing is said for a call that was cancelled");
}

#[tokio::test]
async fn a_notification_ends_the_call_that_it_names_and_no_other() {
    let host = Host::start(&["spin", "sleepy"]).await;
    let (session, other) = (Session::begin(&host).await, Session::begin(&host).await);
    let sleep = json!({ "name": "sleeps", "arguments": { "ms": 2500 } });
    let mut same_session = session.open(&host, json!("1"), "tools/call", sleep.clone()).await;
    let mut same_id = other.open(&host, json!(1), "tools/call", sleep).await;
    let _stream = session.open(&host, json!(1), "tools/call", spin()).await;
    session.notify(&host, "notifications/cancelled", cancelled(&json!(1))).await;
    host.logged(CANCELLED).await;
    assert_eq!(same_session.next_message().await["result"]["content"][0]["text"], "slept 2500 ms");
    assert_eq!(same_id.next_message().await["result"]["content"][0]["text"], "slept 2500 ms");
}

#[tokio::test]
async fn a_call_in_a_session_that_is_no_stream_yet_ends_with_its_connection() {
    let host = Host::start(&["spin"]).await;
    let session = Session::begin(&host).await;
    let asking = send(&host, &session.request(&json!(1), "tools/call", &spin())).await;
    host.logged(LOOPING).await;
    drop(asking);
    host.logged(CANCELLED).await;
    check_idle(host.pid()).await;
}

#[tokio::test]
async fn a_call_without_a_session_ends_with_its_stream() {
    let host = Host::start(&["sleepy"]).await;
    let params = json!({ "name": "sleeps", "arguments": { "ms": 25_000 } });
    let body = message(Some(&json!(1)), "tools/call", &params);
    let stream = host.open_stream(&crate::harness::request(&[], body.as_bytes())).await;
    drop(stream);
    host.logged(CANCELLED).await;
}
