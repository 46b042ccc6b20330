//! The headers that repeat the body (2026-07-28, streamable-http, Request Metadata): gateways route by them, so
//! they must not say anything else.

#[cfg(test)]
mod properties;

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::protocol::{Context, error::ProtocolError};

/// `Mcp-Method` must be the method.
pub(super) fn check_method(context: &Context<'_>, method: &str) -> Result<(), ProtocolError> {
    if context.headers.is_none() {
        return Ok(());
    }
    match context.header("mcp-method")? {
        None => Err(ProtocolError::Header("Mcp-Method is missing".to_owned())),
        Some(value) if value == method => Ok(()),
        Some(value) => Err(ProtocolError::mismatch("Mcp-Method", value, method)),
    }
}

/// `Mcp-Name` must be what the method is about: the name of a tool or prompt, the URI of a resource.
pub(super) fn check_name(context: &Context<'_>, name: &str) -> Result<(), ProtocolError> {
    if context.headers.is_none() {
        return Ok(());
    }
    match context.header("mcp-name")? {
        None => Err(ProtocolError::Header("Mcp-Name is missing".to_owned())),
        Some(value) => match decode(value) {
            None => Err(ProtocolError::Header("Mcp-Name is not valid base64 of UTF-8".to_owned())),
            Some(decoded) if decoded == name => Ok(()),
            Some(decoded) => Err(ProtocolError::mismatch("Mcp-Name", &decoded, name)),
        },
    }
}

/// Undoes `=?base64?...?=` (Value Encoding). None: it begins and ends like that and is no base64 of UTF-8.
pub(in crate::protocol) fn decode(value: &str) -> Option<Cow<'_, str>> {
    match value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        None => Some(Cow::Borrowed(value)),
        Some(encoded) => {
            let bytes = STANDARD.decode(encoded).ok()?;
            String::from_utf8(bytes).ok().map(Cow::Owned)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn check(value: &str, expected: Option<&str>) {
        assert_eq!(decode(value).as_deref(), expected, "{value}");
    }

    #[test]
    fn values_in_the_sentinel_are_decoded_and_others_stay() {
        check("us-west1", Some("us-west1"));
        check("=?base64?SGVsbG8sIOS4lueVjA==?=", Some("Hello, 世界"));
        check("=?base64?IHBhZGRlZCA=?=", Some(" padded "));
        check("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", Some("=?base64?literal?="));
        check("=?base64??=", Some(""));
        check("", Some(""));
    }

    #[test]
    fn half_a_sentinel_is_a_literal() {
        check("=?base64?SGVsbG8=", Some("=?base64?SGVsbG8="));
        check("SGVsbG8=?=", Some("SGVsbG8=?="));
        check("=?base64?=", Some("=?base64?="));
        check("=?BASE64?SGVsbG8=?=", Some("=?BASE64?SGVsbG8=?="));
    }

    #[test]
    fn what_is_no_base64_of_utf8_is_refused() {
        check("=?base64?SGVsbG8?=", None);
        check("=?base64?SGVs!!!bG8=?=", None);
        check("=?base64?/w==?=", None);
    }
}
