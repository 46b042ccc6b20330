//! Whether the values of host.json fit its schema.

use std::sync::LazyLock;

use jsonschema::ValidationError;
use serde_json::Value;

use super::{
    document::Document,
    error::{ConfigError, ConfigErrorKind},
    schema::root,
};
use crate::schema_error::{self, Values};

/// Checks every value. The first mistake in the text is the error.
pub(super) fn values(document: &Document, value: &Value) -> Result<(), ConfigError> {
    static VALIDATOR: LazyLock<jsonschema::Validator> =
        LazyLock::new(|| jsonschema::validator_for(root()).expect("a test compiles the schema"));
    let mut errors: Vec<ValidationError<'_>> = VALIDATOR.iter_errors(value).collect();
    errors.sort_by_key(|error| document.offset_of(error.instance_path().as_str()));
    match errors.first() {
        None => Ok(()),
        Some(error) => {
            let reason = reason(error);
            Err(document.error(error.instance_path().as_str(), ConfigErrorKind::Invalid(reason)))
        }
    }
}

fn reason(error: &ValidationError<'_>) -> String {
    let keyword = error.schema_path().as_str();
    let schema = keyword.rsplit_once('/').and_then(|(schema, _)| root().pointer(schema));
    let expected = schema.and_then(|schema| schema.get("x-mcpfn-expected")?.as_str());
    match expected {
        Some(expected) => schema_error::expected(expected, error, Values::Shown),
        None => schema_error::reason(error, Values::Shown),
    }
}
