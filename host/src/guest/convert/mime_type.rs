//! Media types as components write them.

/// `type/subtype`, with or without parameters (RFC 9110, 8.3.1): clients choose by it how to show what they get.
pub(super) fn check_mime_type(mime_type: Option<&str>) -> Result<(), String> {
    let Some(mime_type) = mime_type else { return Ok(()) };
    let token = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let essence = mime_type.split_once(';').map_or(mime_type, |(essence, _)| essence).trim_end();
    match essence.split_once('/') {
        Some((kind, subtype)) if token(kind) && token(subtype) => Ok(()),
        _ => Err(format!(
            "media type `{}` is none (expected something like `text/plain`)",
            mime_type.escape_debug()
        )),
    }
}
