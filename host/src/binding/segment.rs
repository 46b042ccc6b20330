//! What may be a segment of a path, whoever gave it: the configuration, an argument, or both together.

use std::ops::Range;

/// Where the folder storage keeps what it is writing.
pub(super) const STAGING: &str = ".mcpfn-staging";

/// Where the folder storage keeps what is said about blobs.
pub(super) const ABOUT: &str = ".mcpfn-about";

/// Where the folder storage keeps its locks.
pub(super) const LOCKS: &str = ".mcpfn-locks";

/// Whether the folder storage keeps a name for itself: no blob may be under it.
pub(super) fn is_reserved(segment: &str) -> bool {
    [STAGING, ABOUT, LOCKS].contains(&segment)
}

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

/// U+2028 and U+2029 break lines in logs and editors, as control characters do.
pub(super) fn breaks_lines(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}
