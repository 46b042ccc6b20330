//! Every outcome on both wires.

use serde_json::value::RawValue;

use super::CallResult;
use crate::{
    function::{
        Block, Content, Failure, Json, Media, Outcome, Reply, ResourceBody, ResourceContents,
    },
    protocol::modern::envelope::ServerMeta,
};

fn json(text: &str) -> Json {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn check_legacy(outcome: Outcome, expected: &str) {
    assert_eq!(serde_json::to_string(&CallResult::legacy(&Ok(outcome))).unwrap(), expected);
}

fn check_modern(outcome: Outcome, expected: &str) {
    let server = ServerMeta::new("s", "1");
    assert_eq!(
        serde_json::to_string(&CallResult::modern(&Ok(outcome), &server)).unwrap(),
        expected
    );
}

fn reply(blocks: Vec<Block>) -> Reply {
    let content =
        blocks.into_iter().map(|block| Content { block, annotations: None, meta: None }).collect();
    Reply { content, ..Reply::default() }
}

#[test]
fn text_is_one_block_and_nothing_is_none() {
    check_legacy(Outcome::Nothing, r#"{"content":[]}"#);
    check_legacy(
        Outcome::Text("a\nb".to_owned()),
        r#"{"content":[{"type":"text","text":"a\nb"}]}"#,
    );
    check_legacy(Outcome::Bytes(b"abc".to_vec()), r#"{"content":[{"type":"text","text":"abc"}]}"#);
}

#[test]
fn bytes_that_are_no_text_are_a_resource() {
    check_legacy(
        Outcome::Bytes(vec![0xff, 0]),
        r#"{"content":[{"type":"resource","resource":{"uri":"mcpfn:result","mimeType":"application/octet-stream","blob":"/wA="}}]}"#,
    );
}

#[test]
fn a_value_is_structured_content_with_its_text() {
    check_legacy(
        Outcome::Value(json(r#"{"b": 1, "a":2}"#)),
        r#"{"content":[{"type":"text","text":"{\"b\": 1, \"a\":2}"}],"structuredContent":{"b": 1, "a":2}}"#,
    );
}

#[test]
fn only_an_object_is_structured_content_on_the_legacy_wire() {
    check_legacy(Outcome::Value(json("[1]")), r#"{"content":[{"type":"text","text":"[1]"}]}"#);
    check_modern(
        Outcome::Value(json("[1]")),
        r#"{"resultType":"complete","content":[{"type":"text","text":"[1]"}],"structuredContent":[1],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#,
    );
}

#[test]
fn a_failure_is_an_error_with_the_words_of_the_function_and_without_its_details() {
    for details in [None, Some(json(r#"{"a":1}"#))] {
        check_legacy(
            Outcome::Failure(Failure { message: "no".to_owned(), details }),
            r#"{"content":[{"type":"text","text":"no"}],"isError":true}"#,
        );
    }
}

#[test]
fn the_blocks_of_a_reply_keep_their_order_and_their_shape() {
    let media = || Media { data: b"abc".to_vec(), mime_type: "x/y".to_owned() };
    let contents = ResourceContents {
        uri: Some("a:b".to_owned()),
        mime_type: None,
        body: ResourceBody::Text("t".to_owned()),
        meta: None,
    };
    let blocks = vec![
        Block::Text("t".to_owned()),
        Block::Image(media()),
        Block::Audio(media()),
        Block::Resource(contents),
        Block::Link(json(r#"{"uri":"a:b","name":"n"}"#)),
        Block::Link(json(r#"{"uri":"a:b","type":"resource_link"}"#)),
        Block::Other(json(r#"{ "type":"new" }"#)),
    ];
    check_legacy(
        Outcome::Reply(reply(blocks)),
        concat!(
            r#"{"content":[{"type":"text","text":"t"},"#,
            r#"{"type":"image","data":"YWJj","mimeType":"x/y"},"#,
            r#"{"type":"audio","data":"YWJj","mimeType":"x/y"},"#,
            r#"{"type":"resource","resource":{"uri":"a:b","text":"t"}},"#,
            r#"{"type":"resource_link","uri":"a:b","name":"n"},"#,
            r#"{"type":"resource_link","uri":"a:b"},"#,
            r#"{ "type":"new" }]}"#,
        ),
    );
}

#[test]
fn a_structured_reply_without_content_gets_its_text() {
    let structured = || Reply { structured: Some(json(r#"{"a":1}"#)), ..Reply::default() };
    check_legacy(
        Outcome::Reply(structured()),
        r#"{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}"#,
    );
    check_legacy(
        Outcome::Reply(Reply { is_error: true, ..structured() }),
        r#"{"content":[{"type":"text","text":"{\"a\":1}"}],"isError":true}"#,
    );
    check_legacy(
        Outcome::Reply(Reply {
            structured: Some(json("{}")),
            ..reply(vec![Block::Text("t".to_owned())])
        }),
        r#"{"content":[{"type":"text","text":"t"}],"structuredContent":{}}"#,
    );
}

#[test]
fn a_function_adds_to_meta_and_cannot_say_who_answers() {
    let meta = Some(json(r#"{"b": 2,"io.modelcontextprotocol/serverInfo":{"name":"evil"}}"#));
    check_modern(
        Outcome::Reply(Reply { meta, ..Reply::default() }),
        r#"{"resultType":"complete","content":[],"_meta":{"b":2,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#,
    );
    check_legacy(
        Outcome::Reply(Reply { meta: Some(json(r#"{"b":2}"#)), ..Reply::default() }),
        r#"{"content":[],"_meta":{"b":2}}"#,
    );
    check_legacy(
        Outcome::Reply(Reply { meta: Some(json("7")), ..Reply::default() }),
        r#"{"content":[]}"#,
    );
}
