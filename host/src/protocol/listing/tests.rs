//! What pages hold, and which cursors lead to them.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::{Era, Item, Listing, ServerMeta};
use crate::protocol::error::ProtocolError;

fn listing(keys: &[&str]) -> Listing {
    let items = || keys.iter().map(|key| Item::new(key, json!({ "name": key }))).collect();
    Listing::new("things", items, &ServerMeta::new("s", "1"), 2)
}

fn read(listing: &Listing, era: Era, params: &Value) -> Value {
    serde_json::from_str(listing.page(era, &params.to_string()).unwrap().get()).unwrap()
}

fn names(page: &Value) -> Vec<&str> {
    let things = page["things"].as_array().unwrap();
    things.iter().map(|thing| thing["name"].as_str().unwrap()).collect()
}

fn refusal(listing: &Listing, params: &Value) -> String {
    let refused = listing.page(Era::Modern, &params.to_string());
    let error: ProtocolError = refused.unwrap_err();
    assert_eq!(error.code(), -32602);
    error.to_string()
}

#[test]
fn each_era_frames_a_page_in_its_own_way() {
    let listing = listing(&["a"]);
    assert_eq!(
        listing.page(Era::Modern, "{}").unwrap().get(),
        r#"{"resultType":"complete","things":[{"name":"a"}],"ttlMs":10000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
    );
    assert_eq!(listing.page(Era::Legacy, "{}").unwrap().get(), r#"{"things":[{"name":"a"}]}"#);
}

#[test]
fn pages_follow_each_other_in_the_order_of_keys() {
    let listing = listing(&["e", "b", "d", "a", "c"]);
    for era in [Era::Modern, Era::Legacy] {
        let first = read(&listing, era, &json!({}));
        assert_eq!(names(&first), ["a", "b"]);
        let second = read(&listing, era, &json!({ "cursor": first["nextCursor"] }));
        assert_eq!(names(&second), ["c", "d"]);
        let third = read(&listing, era, &json!({ "cursor": second["nextCursor"] }));
        assert_eq!(names(&third), ["e"]);
        assert!(third.get("nextCursor").is_none());
    }
}

#[test]
fn a_cursor_holds_when_the_list_has_changed() {
    let before = read(&listing(&["a", "b", "c"]), Era::Modern, &json!({}));
    let cursor = json!({ "cursor": before["nextCursor"] });
    assert_eq!(names(&read(&listing(&["a", "bb", "d"]), Era::Modern, &cursor)), ["bb", "d"]);
    assert_eq!(names(&read(&listing(&["a"]), Era::Modern, &cursor)), [""; 0]);
}

#[test]
fn a_full_last_page_leads_nowhere() {
    assert!(read(&listing(&["a", "b"]), Era::Modern, &json!({})).get("nextCursor").is_none());
    assert_eq!(names(&read(&listing(&[]), Era::Modern, &json!({}))), [""; 0]);
}

#[test]
fn a_cursor_that_is_none_of_ours_is_refused() {
    let listing = listing(&["a", "b", "c"]);
    let foreign = URL_SAFE_NO_PAD.encode("tools\na");
    for cursor in
        ["", "x", "!", &URL_SAFE_NO_PAD.encode("a"), &foreign, &URL_SAFE_NO_PAD.encode([0xff])]
    {
        assert_eq!(
            refusal(&listing, &json!({ "cursor": cursor })),
            "Invalid params: unknown `cursor`"
        );
    }
    assert_eq!(
        refusal(&listing, &json!({ "cursor": 7 })),
        "Invalid params: `cursor` must be a string"
    );
}

#[test]
fn lists_are_the_same_when_their_items_are() {
    assert!(listing(&["a", "b", "c"]).is_same(&listing(&["c", "b", "a"])));
    assert!(!listing(&["a", "b", "c"]).is_same(&listing(&["a", "b", "d"])));
    assert!(!listing(&["a"]).is_same(&listing(&[])));
}
