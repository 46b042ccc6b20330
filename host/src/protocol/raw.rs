//! Reads JSON without building trees: members stay the text that the client or the guest wrote.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::Members;

/// Reads an object. None: it is no object, or not one of this shape.
///
/// The derived `Deserialize` of a struct takes an array as well, which no message of the protocol means.
pub(super) fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    if text.starts_with('{') { serde_json::from_str(text).ok() } else { None }
}

/// Reads a string, borrowed unless it has escapes. None: it is no string, or has a lone surrogate.
pub(super) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(raw.get()).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// The arguments of a request, an object: one without any means an empty one.
pub(super) fn arguments(arguments: Option<&RawValue>) -> Box<RawValue> {
    match arguments {
        Some(arguments) => arguments.to_owned(),
        None => RawValue::from_string("{}".to_owned()).expect("an empty object is JSON"),
    }
}

/// Finds a member of an object. The last one of a name counts, as in `serde_json::Value`.
pub(super) fn member<'a>(object_text: &'a str, name: &str) -> Option<&'a RawValue> {
    let Members(members) = object(object_text)?;
    members.into_iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
}
