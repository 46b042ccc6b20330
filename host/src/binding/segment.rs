//! What may be a segment of a path, whoever gave it: the configuration, an argument, or both together.

use std::{borrow::Cow, ops::Range};

/// Where the folder storage keeps what it is writing.
pub(super) const STAGING: &str = ".mcpfn-staging";

/// Where the folder storage keeps what is said about blobs.
pub(super) const ABOUT: &str = ".mcpfn-about";

/// Where the folder storage keeps its locks.
pub(super) const LOCKS: &str = ".mcpfn-locks";

/// Whether the folder storage keeps a name for itself: no blob may be under it, and no list shows it.
///
/// In any case: to macOS and Windows it is the same folder.
pub(super) fn is_reserved(segment: &str) -> bool {
    // Twice, because there are letters that only become ASCII by way of upper case: `\u{17f}` is an `s` to macOS.
    let is = |name: &str| segment.to_uppercase().to_lowercase() == name;
    segment.starts_with('.') && [STAGING, ABOUT, LOCKS].into_iter().any(is)
}

/// What is encoded more often than this was meant to be.
const MAX_DECODINGS: usize = 3;

/// Why a text is not one segment, or several with `/` between them, and where in it.
///
/// The reason is what a sentence says of the text: `holds a control character`.
pub(super) fn refusal(text: &str, max_bytes: usize) -> Option<(Range<usize>, String)> {
    if text.is_empty() {
        return Some((0..0, "is empty".to_owned()));
    }
    let mut start = 0;
    for segment in text.split('/') {
        let range = start..start + segment.len();
        start = range.end + 1;
        let reason = match segment {
            "" => "has an empty path segment".to_owned(),
            "." | ".." => "has a path segment `.` or `..`".to_owned(),
            reserved if is_reserved(reserved) => {
                format!("has the path segment `{reserved}`, which the storage keeps for itself")
            }
            _ if hides_dots(segment) => {
                "has a path segment `.` or `..` once it is percent-decoded".to_owned()
            }
            _ if segment.contains('\\') => "holds a `\\`".to_owned(),
            _ if segment.contains(breaks_lines) => "holds a control character".to_owned(),
            _ if segment.len() > max_bytes => {
                format!("has a path segment longer than {max_bytes} bytes")
            }
            _ => continue,
        };
        return Some((range, reason));
    }
    None
}

/// Whether a text reads as a path with `.` or `..` in it to who decodes percents: names are what they are to us and to
/// storages, and not to each proxy and program that comes by their files.
pub(super) fn hides_dots(text: &str) -> bool {
    let mut bytes = Cow::Borrowed(text.as_bytes());
    for _ in 0..MAX_DECODINGS {
        if !bytes.contains(&b'%') {
            return false;
        }
        bytes = Cow::Owned(percent_decoded(&bytes));
        let mut pieces = bytes.split(|byte| matches!(byte, b'/' | b'\\'));
        if pieces.any(|piece| matches!(piece, b"." | b"..")) {
            return true;
        }
    }
    false
}

fn percent_decoded(mut bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    while let [first, rest @ ..] = bytes {
        let byte = match rest {
            [high, low, ..] if *first == b'%' => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        decoded.push(byte.map_or(*first, |(high, low)| high << 4 | low));
        bytes = if byte.is_some() { &rest[2..] } else { rest };
    }
    decoded
}

fn hexadecimal(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// U+2028 and U+2029 break lines in logs and editors, as control characters do.
pub(super) fn breaks_lines(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn names_that_the_storage_keeps_are_refused_in_any_case() {
        for name in [
            ".mcpfn-locks",
            ".MCPFN-LOCKS",
            ".Mcpfn-Staging",
            ".mcpfn-ABOUT",
            ".mcpfn-lock\u{17f}",
            ".mcpfn-loc\u{212a}s",
        ] {
            let (range, reason) = refusal(&format!("a/{name}/b"), 255).unwrap();
            assert_eq!((range.start, range.len()), (2, name.len()));
            assert!(reason.contains("keeps for itself"), "{reason}");
        }
        assert_eq!(refusal(".mcpfn-x/mcpfn-locks/.MCPFN", 255), None);
    }
}
