//! A header passes exactly when it says what the argument says.

use base64::{Engine, engine::general_purpose::STANDARD};
use proptest::prelude::any;
use serde_json::{json, value::RawValue};

use super::{Mirrored, of};
use crate::{
    function::{Schema, TransportKind},
    properties::{bytes, check, within},
    protocol::{Context, Headers, Unreadable},
};

#[derive(Debug)]
struct One<'a>(&'a str);

impl Headers for One<'_> {
    fn get(&self, name: &str) -> Result<Option<&str>, Unreadable> {
        Ok((name == "mcp-param-it").then_some(self.0))
    }

    fn joined(&self, _name: &str) -> Option<String> {
        None
    }
}

fn mirrored() -> Mirrored {
    let text =
        r#"{"type":"object","properties":{"it":{"type":"string","x-mcp-header":"It"}}}"#.to_owned();
    of(&Schema::parse_input(text).unwrap()).remove(0)
}

fn passes(mirrored: &Mirrored, arguments: &str, header: &str) -> bool {
    let arguments: &RawValue = serde_json::from_str(arguments).unwrap();
    let headers = One(header);
    let context = Context::of(TransportKind::Http, Some(&headers));
    let n_bytes = arguments.get().len() + header.len();
    within(n_bytes, || mirrored.check(&context, Some(arguments)).is_ok())
}

#[test]
fn a_text_passes_in_its_encoding_and_no_other_text_does() {
    let mirrored = mirrored();
    check(&(any::<String>(), any::<String>()), |(text, other)| {
        let arguments = json!({ "it": text }).to_string();
        let encoded = |text: &str| format!("=?base64?{}?=", STANDARD.encode(text));
        assert!(passes(&mirrored, &arguments, &encoded(&text)));
        assert_eq!(passes(&mirrored, &arguments, &encoded(&other)), text == other);
    });
}

#[test]
fn an_integer_passes_as_itself_and_no_other_does() {
    let mirrored = mirrored();
    check(&(any::<i64>(), any::<i64>()), |(number, other)| {
        let arguments = json!({ "it": number }).to_string();
        assert!(passes(&mirrored, &arguments, &number.to_string()));
        assert_eq!(passes(&mirrored, &arguments, &other.to_string()), number == other);
    });
}

#[test]
fn any_header_passes_or_is_refused() {
    let mirrored = mirrored();
    check(&bytes(), |bytes| {
        let header = String::from_utf8_lossy(&bytes);
        for argument in [json!("x"), json!(7), json!(0.5), json!(true), json!({}), json!(null)] {
            passes(&mirrored, &json!({ "it": argument }).to_string(), &header);
        }
    });
}
