//! Lists in pages: written once for each version, since they are the same for every client.

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};
use serde_json::value::{RawValue, to_raw_value};

use super::{
    error::ProtocolError,
    framed::Framed,
    modern::envelope::{SHARED, ServerMeta},
    raw,
    revision::Era,
};

/// How many items a page has: more than most servers have at all, and less than what clients refuse.
pub(super) const PAGE: usize = 1000;

/// A list of one kind. Pages follow the keys of its items, so that a cursor holds across a reload.
#[derive(Debug)]
pub(super) struct Listing {
    member: &'static str,
    server: ServerMeta,
    page_size: usize,
    modern: Pages,
    legacy: Pages,
}

/// The items of one era.
#[derive(Debug)]
struct Pages {
    // Ordered by key.
    items: Vec<Item>,
    // Nearly every client asks for this one and has all with it.
    first: Box<RawValue>,
}

/// One item of a list.
#[derive(Debug)]
pub(super) struct Item {
    key: String,
    json: Box<RawValue>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    cursor: Option<&'a RawValue>,
}

/// The members of a page.
struct Page<'a> {
    member: &'static str,
    items: &'a [Item],
    next: Option<String>,
}

impl Item {
    /// An item that is listed in the place of its key.
    pub(super) fn new(key: &str, value: impl Serialize) -> Self {
        let json = to_raw_value(&value).expect("an item of a list has a JSON text");
        Self { key: key.to_owned(), json }
    }

    fn json(item: &Self) -> &RawValue {
        &item.json
    }
}

impl Listing {
    /// A list whose items are the same in both eras. `member` is what the result has them under.
    pub(super) fn new(
        member: &'static str,
        items: impl Fn() -> Vec<Item>,
        server: &ServerMeta,
        page_size: usize,
    ) -> Self {
        Self::of_eras(member, |_| items(), server, page_size)
    }

    /// A list whose items depend on the era.
    pub(super) fn of_eras(
        member: &'static str,
        items: impl Fn(Era) -> Vec<Item>,
        server: &ServerMeta,
        page_size: usize,
    ) -> Self {
        let pages = |era| {
            let mut items = items(era);
            items.sort_by(|a, b| a.key.cmp(&b.key));
            let first = write(era, page(member, &items, page_size), server);
            Pages { items, first }
        };
        let (modern, legacy) = (pages(Era::Modern), pages(Era::Legacy));
        Self { member, server: server.clone(), page_size, modern, legacy }
    }

    /// The page that the params of a request ask for.
    pub(super) fn page(&self, era: Era, params: &str) -> Result<Cow<'_, RawValue>, ProtocolError> {
        let Some(Params { cursor }) = raw::object(params) else {
            return Err(ProtocolError::Params("`cursor` comes twice"));
        };
        let pages = match era {
            Era::Modern => &self.modern,
            Era::Legacy => &self.legacy,
        };
        let Some(cursor) = cursor else { return Ok(Cow::Borrowed(&pages.first)) };
        let cursor =
            raw::string(cursor).ok_or(ProtocolError::Params("`cursor` must be a string"))?;
        // The empty string is a cursor too, and none of ours (server/utilities/pagination).
        let last = self.last_key(&cursor).ok_or(ProtocolError::Params("unknown `cursor`"))?;
        let start = pages.items.partition_point(|item| item.key <= last);
        let page = page(self.member, &pages.items[start..], self.page_size);
        Ok(Cow::Owned(write(era, page, &self.server)))
    }

    /// Whether clients would see no difference.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_same = |a: &Pages, b: &Pages| {
            a.items
                .iter()
                .map(Item::json)
                .map(RawValue::get)
                .eq(b.items.iter().map(|item| item.json.get()))
        };
        is_same(&self.modern, &other.modern) && is_same(&self.legacy, &other.legacy)
    }

    /// The key that a cursor of this list follows.
    fn last_key(&self, cursor: &str) -> Option<String> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        let (member, key) = text.split_once('\n')?;
        (member == self.member).then(|| key.to_owned())
    }
}

fn page<'a>(member: &'static str, rest: &'a [Item], page_size: usize) -> Page<'a> {
    let items = &rest[..page_size.min(rest.len())];
    let next = match items.last() {
        Some(last) if items.len() < rest.len() => {
            Some(URL_SAFE_NO_PAD.encode(format!("{member}\n{}", last.key)))
        }
        _ => None,
    };
    Page { member, items, next }
}

fn write(era: Era, page: Page<'_>, server: &ServerMeta) -> Box<RawValue> {
    to_raw_value(&Framed::cached(era, page, SHARED, server)).expect("a list has a JSON text")
}

impl Serialize for Page<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let items: Vec<&RawValue> = self.items.iter().map(Item::json).collect();
        map.serialize_entry(self.member, &items)?;
        if let Some(next) = &self.next {
            map.serialize_entry("nextCursor", next)?;
        }
        map.end()
    }
}
