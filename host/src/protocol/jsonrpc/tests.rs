//! Every shape that is a message, and those that are none.

use super::{Message, parse};
use crate::protocol::error::ProtocolError;

fn check(body: &str, expected: &str) {
    let actual = match parse(body.as_bytes()) {
        Ok(Message::Request(request)) => {
            format!("request {} {} {}", request.id.unwrap(), request.method, request.params)
        }
        Ok(Message::Notification(request)) => {
            format!("notification {} {}", request.method, request.params)
        }
        Ok(Message::Response(_)) => "response".to_owned(),
        Err(malformed) => {
            let kind = match malformed.error {
                ProtocolError::Syntax(_) => "syntax",
                ProtocolError::Request(_) => "request",
                other => panic!("{other:?}"),
            };
            let id = malformed.id.map_or(String::new(), |id| format!(" {id}"));
            format!("malformed {kind}{id}")
        }
    };
    assert_eq!(actual, expected, "{body}");
}

#[test]
fn ids_and_params_stay_as_they_were_written() {
    check(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "request 1 ping {}");
    check(r#" {"jsonrpc":"2.0","id":-07e,"method":"ping"}"#, "malformed syntax");
    check(
        r#"{"jsonrpc":"2.0","id":"a\n","method":"ping","params":null}"#,
        r#"request "a\n" ping {}"#,
    );
    check(
        r#"{"id":123456789012345678901234567890,"params":{"b": 1, "a":2 },"method":"x\/y","jsonrpc":"2.0"}"#,
        r#"request 123456789012345678901234567890 x/y {"b": 1, "a":2 }"#,
    );
    check("\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n", "request 1 ping {}");
}

#[test]
fn a_message_without_an_id_is_a_notification() {
    check(
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "notification notifications/initialized {}",
    );
}

#[test]
fn an_answer_to_a_request_is_a_response() {
    check(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "response");
    check(r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "response");
    check(r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#, "response");
}

#[test]
fn what_is_not_json_is_a_syntax_error() {
    for body in [
        "",
        " ",
        "{",
        "abc",
        r#"{"jsonrpc":"2.0",}"#,
        "{} x",
        "[1,",
        "\u{feff}{}",
        r#"{"jsonrpc":"2.0" "id":1}"#,
    ] {
        check(body, "malformed syntax");
    }
    let Err(malformed) = parse(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}") else {
        panic!()
    };
    assert!(matches!(malformed.error, ProtocolError::Syntax(_)));
}

#[test]
fn what_nests_too_deep_is_a_syntax_error() {
    let nested = |levels| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{open}{close}}}}}"#)
    };
    check(&nested(126), "malformed syntax");
    check(&nested(100_000), "malformed syntax");
    let fits = nested(125);
    let Ok(Message::Request(request)) = parse(fits.as_bytes()) else { panic!() };
    assert!(serde_json::from_str::<serde_json::Value>(&request.params).is_ok());
    check(r#"{"jsonrpc":"2.0","id":"[[[\"{{{","method":"ping"}"#, r#"request "[[[\"{{{" ping {}"#);
}

#[test]
fn what_is_json_but_no_message_is_an_invalid_request() {
    for body in ["1", "null", "\"x\"", "[]", "[{}]", r#"["2.0",1,"ping"]"#, "{}"] {
        check(body, "malformed request");
    }
    for id in ["null", "1.5", "1e3", "true", "{}", "[]"] {
        check(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#), "malformed request");
    }
    check(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, "malformed request");
}

#[test]
fn the_id_is_known_where_only_the_rest_is_wrong() {
    check(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "malformed request 1");
    check(r#"{"id":1,"method":"ping"}"#, "malformed request 1");
    check(r#"{"jsonrpc":"2.0","id":1,"method":7}"#, "malformed request 1");
    check(r#"{"jsonrpc":"2.0","id":"a"}"#, r#"malformed request "a""#);
    check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, "malformed request 1");
    check(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}"#, "malformed request 1");
}
