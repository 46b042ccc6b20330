//! JSON pointers (RFC 6901).

/// RFC 6901, section 3.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The pointer of a member.
pub(super) fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", escape(key))
}
