//! What a template makes of values, and so which values it takes.

#[cfg(test)]
mod tests;

use std::{borrow::Cow, fmt::Write as _};

use super::reference::Reference;
use crate::{binding::segment, function::Direction};

/// The most that one value may give to a name: the longest file name of common file systems.
const MAX_SEGMENT_BYTES: usize = 255;

/// The most that one value may give to anything else.
const MAX_VALUE_BYTES: usize = 1_024;

/// What a template makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::binding) enum Purpose {
    /// The name of something in a storage: a value is one segment of a path, as it is.
    StorageName,
    /// A text, such as the value of a header or of metadata: a value is anything on one line.
    Text,
    /// A part of a URL: a value is percent-encoded, as one segment of the path or one value of the query.
    Url,
}

/// How much of a path one value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// One segment.
    Segment,
    /// `:path`: segments with `/` between them.
    Path,
}

impl Purpose {
    /// What it makes, with its article, for messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::StorageName => "a path",
            Self::Text => "a text",
            Self::Url => "a URL",
        }
    }

    /// What follows when a value is missing. None: its text is left out, which is what its author wants.
    pub(super) fn lack(self, direction: Direction) -> Option<&'static str> {
        match (self, direction) {
            (Self::Text, _) => None,
            (Self::StorageName | Self::Url, Direction::Input) => Some("nothing is read"),
            (Self::StorageName | Self::Url, Direction::Output) => Some("nothing can be written"),
        }
    }

    /// How much of a path the format of a reference asks for.
    pub(super) fn extent(self, reference: &Reference<'_>) -> Result<Extent, String> {
        let expected = match (self, reference.format) {
            (_, None) => return Ok(Extent::Segment),
            (Self::StorageName | Self::Url, Some("path")) => return Ok(Extent::Path),
            (Self::StorageName | Self::Url, Some(_)) => "expected `:path`",
            (Self::Text, Some(_)) => "here a value has no format",
        };
        Err(format!("unknown format in {} ({expected})", reference.place))
    }

    /// What the default of a reference gives; it has to be what a value has to be, or empty.
    pub(super) fn default(
        self,
        reference: &Reference<'_>,
        extent: Extent,
    ) -> Result<Option<String>, String> {
        match reference.default {
            None => Ok(None),
            Some("") => Ok(Some(String::new())),
            Some(default) => match self.take(Cow::Borrowed(default), extent) {
                Ok(text) => Ok(Some(text.into_owned())),
                Err(reason) => Err(format!("the default of {} {reason}", reference.place)),
            },
        }
    }

    /// What a value gives to the text, or what a message says of the value.
    pub(super) fn take(self, value: Cow<'_, str>, extent: Extent) -> Result<Cow<'_, str>, String> {
        let refusal = match self {
            Self::StorageName if extent == Extent::Segment && value.contains('/') => {
                return Err("holds a `/`, so it would leave its place in the path".to_owned());
            }
            Self::StorageName => {
                segment::refusal(&value, MAX_SEGMENT_BYTES).map(|(_, reason)| reason)
            }
            Self::Text => text_refusal(&value),
            Self::Url => url_refusal(&value, extent),
        };
        match refusal {
            Some(reason) => Err(format!("cannot be part of {}: it {reason}", self.noun())),
            None if self == Self::Url => Ok(Cow::Owned(encoded(&value, extent))),
            None => Ok(value),
        }
    }
}

fn text_refusal(value: &str) -> Option<String> {
    if value.contains(segment::breaks_lines) {
        return Some("holds a control character".to_owned());
    }
    size_refusal(value)
}

/// Encoding keeps a value in its place, but for dots, which it leaves alone; and some servers decode `%2F` and `%5C`
/// before they look at the path.
fn url_refusal(value: &str, extent: Extent) -> Option<String> {
    if value.split(['/', '\\']).any(|segment| matches!(segment, "." | "..")) {
        return Some("has a path segment `.` or `..`".to_owned());
    }
    if segment::hides_dots(value) {
        return Some("has a path segment `.` or `..` once it is percent-decoded".to_owned());
    }
    if extent == Extent::Path && value.split('/').any(str::is_empty) && !value.is_empty() {
        return Some("has an empty path segment".to_owned());
    }
    size_refusal(value)
}

fn size_refusal(value: &str) -> Option<String> {
    match value.len() {
        0 => Some("is empty".to_owned()),
        1..=MAX_VALUE_BYTES => None,
        _ => Some(format!("is longer than {MAX_VALUE_BYTES} bytes")),
    }
}

/// Everything but what RFC 3986, 2.3, calls unreserved is encoded, and of a path not the `/`.
fn encoded(value: &str, extent: Extent) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                text.push(char::from(byte));
            }
            b'/' if extent == Extent::Path => text.push('/'),
            _ => write!(text, "%{byte:02X}").expect("a string takes all that is written"),
        }
    }
    text
}
