//! Whatever a cursor is, it leads to a page or is refused.

use std::collections::BTreeSet;

use proptest::{
    collection::{btree_set, vec},
    prelude::any,
    strategy::Strategy,
};
use serde_json::{Value, json};

use super::{Era, Item, Listing, ServerMeta};
use crate::properties::{changed_text, check, within};

fn listing(keys: &BTreeSet<String>, page_size: usize) -> Listing {
    let items = || keys.iter().map(|key| Item::new(key, json!(key))).collect();
    Listing::new("things", items, &ServerMeta::new("s", "1"), page_size)
}

fn page(listing: &Listing, cursor: &str) -> Option<Value> {
    let params = json!({ "cursor": cursor }).to_string();
    let page = within(params.len(), || listing.page(Era::Legacy, &params).ok())?;
    Some(serde_json::from_str(page.get()).unwrap())
}

#[test]
fn any_cursor_leads_to_a_page_or_is_refused() {
    let keys: BTreeSet<String> = ["a", "b", "c"].map(str::to_owned).into();
    let listing = listing(&keys, 1);
    let first: Value =
        serde_json::from_str(listing.page(Era::Legacy, "{}").unwrap().get()).unwrap();
    let ours = first["nextCursor"].as_str().unwrap().to_owned();
    check(&any::<String>(), |cursor| {
        page(&listing, &cursor);
    });
    check(&changed_text(vec![ours]), |cursor| {
        page(&listing, &cursor);
    });
}

#[test]
fn the_pages_together_are_the_list() {
    let keys = btree_set(any::<String>(), 0..12);
    check(&(keys, 1..4_usize), |(keys, page_size)| {
        let listing = listing(&keys, page_size);
        let mut seen = Vec::new();
        let mut next: Value =
            serde_json::from_str(listing.page(Era::Legacy, "{}").unwrap().get()).unwrap();
        loop {
            let things = next["things"].as_array().unwrap();
            assert!(things.len() <= page_size, "{next}");
            seen.extend(things.iter().map(|thing| thing.as_str().unwrap().to_owned()));
            let Some(cursor) = next["nextCursor"].as_str() else { break };
            next = page(&listing, cursor).unwrap();
        }
        assert_eq!(seen, keys.into_iter().collect::<Vec<_>>());
    });
}

#[test]
fn any_params_lead_to_a_page_or_are_refused() {
    let listing = listing(&BTreeSet::from(["a".to_owned()]), 1);
    let params = vec![r#"{"cursor":"dGhpbmdzCmE","_meta":{}}"#.to_owned()];
    check(&changed_text(params).prop_filter("an object", |text| text.starts_with('{')), |params| {
        within(params.len(), || _ = listing.page(Era::Modern, &params));
    });
    check(&vec(any::<char>(), 0..64), |characters| {
        let params: String = characters.into_iter().collect();
        within(params.len(), || _ = listing.page(Era::Modern, &params));
    });
}
