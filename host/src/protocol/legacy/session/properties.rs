//! Whatever a client sends as its session, it is a session of ours or none.

use proptest::{prelude::any, strategy::Strategy};
use serde_json::json;

use super::{
    Peer,
    tests::{raw, read},
};
use crate::{
    function::Client,
    properties::{changed_text, check, within},
    state::Sealer,
};

#[test]
fn any_id_but_ours_is_none() {
    let sealer = Sealer::random();
    let client = Client { name: "test".to_owned(), version: "1".to_owned() };
    let capabilities = raw(r#"{"roots":{}}"#);
    let ours =
        Peer::introduce(&sealer, "2025-11-25", Some(client), Some(&capabilities), Some("somebody"));
    let ids = changed_text(vec![ours.id.clone()]);
    check(&ids, |id| {
        let peer = within(id.len(), || read(&sealer, &id, Some("somebody")));
        assert_eq!(peer.is_some(), id == ours.id, "{id}");
    });
    check(&any::<String>(), |id| assert!(within(id.len(), || read(&sealer, &id, None)).is_none()));
}

#[test]
fn what_is_signed_but_is_no_session_is_none() {
    let sealer = Sealer::random();
    let content = json!({ "version": "2025-11-25", "name": null, "program_version": null,
                             "capabilities": {}, "principal": null, "random": "0" });
    let contents = changed_text(vec![content.to_string()]);
    check(&contents.prop_map(|content| sealer.sign(content.as_bytes())), |id| {
        within(id.len(), || read(&sealer, &id, None));
    });
}

#[test]
fn whoever_introduces_itself_is_known_again() {
    let sealer = Sealer::random();
    check(
        &(any::<String>(), any::<String>(), any::<Option<String>>()),
        |(name, text, principal)| {
            let client = Client { name, version: text.clone() };
            let capabilities =
                raw(&json!({ "roots": {}, "experimental": { "x": text } }).to_string());
            let principal = principal.as_deref();
            let peer = Peer::introduce(
                &sealer,
                "2024-11-05",
                Some(client),
                Some(&capabilities),
                principal,
            );
            let again = read(&sealer, &peer.id, principal).unwrap();
            assert_eq!(again.client.unwrap().name, peer.client.unwrap().name);
            assert_eq!(again.capabilities.get(), peer.capabilities.get());
        },
    );
}
