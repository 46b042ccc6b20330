//! What a value lacks to fit a JSON Schema, as a sentence.

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind},
};
use serde_json::Value;

/// Whether a sentence may repeat the value that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// It may be a stranger's or a secret.
    Hidden,
    /// Its author reads the sentence. Long texts are left out all the same.
    Shown,
}

/// What is wrong at the path of the error: `expected string, got number`.
pub(crate) fn reason(error: &ValidationError<'_>, values: Values) -> String {
    match error.kind() {
        ValidationErrorKind::Required { property: Value::String(name) } => {
            format!("`{name}` is missing")
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            format!("has what the schema does not know: `{}`", unexpected.join("`, `"))
        }
        ValidationErrorKind::FalseSchema => "is not allowed".to_owned(),
        ValidationErrorKind::Type { kind } => {
            let got = JsonType::from(error.instance().as_ref());
            format!("expected {}, got {got}", types(kind))
        }
        ValidationErrorKind::Constant { expected_value } => {
            expected(&quoted(expected_value), error, values)
        }
        ValidationErrorKind::Enum { options } => {
            let options: Vec<String> =
                options.as_array().into_iter().flatten().map(quoted).collect();
            expected(&format!("one of {}", options.join(", ")), error, values)
        }
        ValidationErrorKind::Minimum { limit } => {
            expected(&format!("at least {limit}"), error, values)
        }
        ValidationErrorKind::Maximum { limit } => {
            expected(&format!("at most {limit}"), error, values)
        }
        ValidationErrorKind::MinLength { limit: 1 } => {
            "expected a text that is not empty".to_owned()
        }
        _ => error.masked().to_string(),
    }
}

/// A sentence that names what is expected, for schemas that say it better than their keywords do.
pub(crate) fn expected(what: &str, error: &ValidationError<'_>, values: Values) -> String {
    match values {
        Values::Hidden => format!("expected {what}"),
        Values::Shown => format!("expected {what}, got {}", shown(error.instance())),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => kind.to_string(),
        TypeKind::Multiple(kinds) => {
            kinds.iter().map(|kind| kind.to_string()).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    }
}

/// A value as it may stand in a message: no long texts, nothing nested.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.chars().count() > 60 => JsonType::String.to_string(),
        Value::Array(_) | Value::Object(_) => JsonType::from(value).to_string(),
        other => quoted(other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Values, reason};

    #[track_caller]
    fn check(schema: Value, value: Value, shown: &str, hidden: &str) {
        let error = jsonschema::validate(&schema, &value).unwrap_err();
        assert_eq!(reason(&error, Values::Shown), shown);
        assert_eq!(reason(&error, Values::Hidden), hidden);
    }

    #[test]
    fn sentences_say_what_is_expected_and_repeat_a_value_only_where_they_may() {
        let same = |schema, value, both| check(schema, value, both, both);
        same(json!({"type": "string"}), json!(5), "expected string, got number");
        same(json!({"type": ["array", "null"]}), json!({}), "expected null or array, got object");
        same(json!({"required": ["a"]}), json!({"b": 1}), "`a` is missing");
        same(
            json!({"properties": {"c": {}}, "additionalProperties": false}),
            json!({"a": "secret"}),
            "has what the schema does not know: `a`",
        );
        same(json!({"properties": {"a": false}}), json!({"a": "secret"}), "is not allowed");
        same(json!({"minLength": 1}), json!(""), "expected a text that is not empty");
        same(json!({"pattern": "^a"}), json!("secret"), "value does not match \"^a\"");
        check(json!({"const": "a"}), json!("b"), "expected `a`, got `b`", "expected `a`");
        check(
            json!({"enum": ["a", 1]}),
            json!(2),
            "expected one of `a`, 1, got 2",
            "expected one of `a`, 1",
        );
        check(json!({"minimum": 1}), json!(0), "expected at least 1, got 0", "expected at least 1");
        check(json!({"maximum": 1}), json!(2), "expected at most 1, got 2", "expected at most 1");
        let long = "x".repeat(61);
        check(json!({"const": 1}), json!(long), "expected 1, got string", "expected 1");
        check(json!({"const": 1}), json!([1]), "expected 1, got array", "expected 1");
    }
}
