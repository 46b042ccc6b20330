//! Whatever a header says, it is decoded or refused.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use proptest::prelude::any;

use super::decode;
use crate::properties::{bytes, changed_text, check, within};

fn encode(text: &str) -> String {
    format!("=?base64?{}?=", STANDARD.encode(text))
}

#[test]
fn every_text_comes_back_from_its_encoding() {
    check(&any::<String>(), |text| {
        let encoded = encode(&text);
        assert_eq!(within(encoded.len(), || decode(&encoded).map(Cow::into_owned)), Some(text));
    });
}

#[test]
fn any_value_is_decoded_or_refused() {
    check(&bytes(), |bytes| {
        let value = String::from_utf8_lossy(&bytes);
        within(value.len(), || _ = decode(&value));
    });
}

#[test]
fn what_is_no_whole_encoding_stays_as_it_is() {
    let values = ["us-west1", "", "padded"].map(encode).to_vec();
    check(&changed_text(values), |value| {
        let is_encoded =
            value.len() >= 11 && value.starts_with("=?base64?") && value.ends_with("?=");
        let decoded = within(value.len(), || decode(&value).map(Cow::into_owned));
        if !is_encoded {
            assert_eq!(decoded.as_deref(), Some(&*value));
        }
    });
}
