//! What bytes are to a function: text, JSON or just bytes.

use serde_json::value::RawValue;

use super::BindingError;
use crate::function::Value;

/// Text; what is not UTF-8 stays bytes: whether that will do is for the function to say.
pub(super) fn text(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes).map_or_else(|error| Value::Bytes(error.into_bytes()), Value::Text)
}

/// JSON, as it was written; `what` holds it.
pub(super) fn json(bytes: Vec<u8>, what: &str) -> Result<Value, BindingError> {
    let not_json =
        |why: String| BindingError::Content { reason: format!("{what} is not JSON: {why}") };
    let text = String::from_utf8(bytes).map_err(|_| not_json("it is not UTF-8 text".to_owned()))?;
    let read: Result<&RawValue, _> = serde_json::from_str(&text);
    read.map_err(|error| not_json(error.to_string()))?;
    Ok(Value::Json(text))
}

/// Whether bytes are one JSON value.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    let read: Result<&RawValue, _> = serde_json::from_slice(bytes);
    read.is_ok()
}
