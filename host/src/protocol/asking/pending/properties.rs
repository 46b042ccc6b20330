//! Whatever a client brings back, it answers what was asked or is refused.

use futures_util::FutureExt;
use proptest::prelude::any;
use serde_json::{json, value::RawValue};

use super::{
    Broken, Pending, Round, read_responses,
    tests::{pending, raw},
};
use crate::{
    properties::{changed_text, check, within},
    protocol::asking::Subject,
    state::Sealer,
};

fn subject(arguments: &RawValue) -> Subject<'_> {
    Subject { method: "tools/call", name: "a", arguments, principal: None }
}

fn round(params: &str, sealer: &Sealer) -> Result<Option<Round>, Broken> {
    let arguments = raw("{}");
    within(params.len(), || {
        let round = Pending::round(params, sealer, &subject(&arguments)).now_or_never();
        round.expect("nothing is waited for")
    })
}

#[test]
fn any_params_are_a_round_or_refused() {
    let sealer = Sealer::random();
    let state = pending().seal(&sealer, &subject(&raw("{}")));
    let params = [
        json!({ "requestState": state, "inputResponses": { "who": { "action": "decline" } } }),
        json!({
            "requestState": state,
            "inputResponses": {
                "who": { "action": "accept", "content": { "a": [1, { "b": null }] } },
                "where": { "roots": [{ "uri": "file:///a" }] },
            },
        }),
        json!({ "inputResponses": {} }),
    ];
    let params = params.map(|params| params.to_string()).to_vec();
    check(&changed_text(params), |params| {
        // A state that was changed is none: so what is gone on with was sealed.
        if let Ok(Some(_)) = round(&params, &sealer) {
            assert!(params.contains(&state));
        }
    });
}

#[test]
fn any_state_but_ours_is_refused() {
    let sealer = Sealer::random();
    let state = pending().seal(&sealer, &subject(&raw("{}")));
    let ours = state.clone();
    check(&changed_text(vec![state]), |state| {
        let round = round(&json!({ "requestState": state }).to_string(), &sealer);
        assert_eq!(round.is_ok(), state == ours, "{state}");
    });
    check(&any::<String>(), |state| {
        let round = round(&json!({ "requestState": state }).to_string(), &sealer);
        assert!(matches!(round, Err(Broken::Foreign)));
    });
}

#[test]
fn what_is_sealed_but_is_no_state_is_refused() {
    let sealer = Sealer::random();
    let (arguments, lifetime) = (raw("{}"), std::time::Duration::from_mins(1));
    let content = json!({
        "state": "c3RhdGU=",
        "questions": [{ "key": "who", "ask": { "Form": { "message": "m", "schema": {} } } }],
        "answers": [{ "key": "who", "value": "Declined" }],
        "n_rounds": 1,
    });
    check(&changed_text(vec![content.to_string()]), |content| {
        let binding = subject(&arguments).digest();
        let state = sealer.seal(content.as_bytes(), &binding, lifetime);
        _ = round(&json!({ "requestState": state }).to_string(), &sealer);
    });
}

#[test]
fn any_responses_are_objects_or_refused() {
    let responses = vec![r#"{"a":{"action":"accept","content":{}},"b":{"roots":[]}}"#.to_owned()];
    check(&changed_text(responses), |responses| {
        let Ok(responses) = serde_json::from_str::<&RawValue>(&responses) else { return };
        let read = within(responses.get().len(), || read_responses(Some(responses)).is_ok());
        assert!(!read || responses.get().starts_with('{'), "{responses}");
    });
}
