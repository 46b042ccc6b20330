//! Whatever comes back, it is what was handed out or it does not open.

use std::time::Duration;

use proptest::prelude::any;

use super::{Opened, Sealer};
use crate::properties::{bytes, changed_text, check, within};

const MINUTE: Duration = Duration::from_mins(1);

#[test]
fn every_content_opens_where_it_belongs_and_nowhere_else() {
    let sealer = Sealer::random();
    check(&(bytes(), bytes(), bytes()), |(content, binding, other)| {
        let text = sealer.seal(&content, &binding, MINUTE);
        let open = |binding: &[u8]| within(text.len(), || sealer.open(&text, binding));
        assert_eq!(open(&binding), Opened::Content(content.clone()));
        assert!(other == binding || open(&other) == Opened::Foreign);
    });
}

#[test]
fn whatever_was_not_sealed_does_not_open() {
    let sealer = Sealer::random();
    check(&any::<String>(), |text| {
        assert_eq!(within(text.len(), || sealer.open(&text, b"")), Opened::Foreign);
        assert_eq!(within(text.len(), || sealer.verify(&text)), None);
    });
    let ours = sealer.seal(b"content", b"", MINUTE);
    check(&changed_text(vec![ours.clone()]), |text| {
        let opened = within(text.len(), || sealer.open(&text, b""));
        assert_eq!(opened == Opened::Foreign, text != ours, "{text}");
    });
}

#[test]
fn every_signature_is_for_its_content() {
    let sealer = Sealer::random();
    check(&bytes(), |content| {
        let signed = sealer.sign(&content);
        assert_eq!(within(signed.len(), || sealer.verify(&signed)), Some(content));
    });
    let ours = sealer.sign(b"content");
    check(&changed_text(vec![ours.clone()]), |text| {
        let verified = within(text.len(), || sealer.verify(&text));
        assert_eq!(verified.is_some(), text == ours, "{text}");
    });
}
