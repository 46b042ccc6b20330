//! Whatever a client sends, it is a message or it is refused.

use super::parse;
use crate::{
    properties::{bytes, changed, check, within},
    protocol::{
        Message, completion::Complete, era, jsonrpc, prompts::Get, resources::Read,
        subscriptions::Filter, tasks, tools::Call,
    },
};

fn messages() -> Vec<String> {
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":[1,{"c":null}]}}}"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"resources/read","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":7}}}"#,
        r#"{"jsonrpc":"2.0","id":-7,"method":"prompts/get","params":{"name":"p","arguments":{"q":"r"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"},"context":{"arguments":{"b":"c"}}}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a:b"],"taskIds":["t"]}}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"t"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":"x","result":{"roots":[]}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"no"}}"#,
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Reads a message as far as it can be read without a host.
fn read(body: &[u8]) {
    within(body.len(), || {
        if let Ok(jsonrpc::Message::Request(request)) = parse(body) {
            assert!(request.params.starts_with('{'), "{request:?}");
            let params = &*request.params;
            _ = era::meta(params);
            _ = Call::parse(params);
            _ = Read::parse(params);
            _ = Get::parse(params);
            _ = Complete::parse(params);
            _ = Filter::parse(params);
            _ = tasks::id_of(params);
        }
    });
    within(body.len(), || Message::parse(body).into_owned());
}

#[test]
fn any_bytes_are_read_or_refused() {
    check(&bytes(), |body| read(&body));
}

#[test]
fn messages_that_were_changed_are_read_or_refused() {
    check(&changed(messages()), |body| read(&body));
}

#[test]
fn what_is_read_says_what_was_written() {
    check(&changed(messages()), |body| {
        let (Ok(jsonrpc::Message::Request(request)), Ok(value)) =
            (parse(&body), serde_json::from_slice::<serde_json::Value>(&body))
        else {
            return;
        };
        assert_eq!(value["method"], *request.method);
        assert_eq!(value["id"].to_string(), request_id(&request));
    });
}

/// The id, as `serde_json` writes it.
fn request_id(request: &jsonrpc::Request<'_>) -> String {
    let id: serde_json::Value = serde_json::from_str(request.id.as_ref().unwrap().get()).unwrap();
    id.to_string()
}
