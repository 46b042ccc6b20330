//! What becomes of values in texts and in URLs; for paths, the tests of templates tell.

use serde_json::{Map, Value, json, value::RawValue};

use super::Purpose;
use crate::{
    binding::{
        Scope,
        expression::{BindingData, Template},
        scope::Root,
    },
    function::Schema,
};

/// A template that makes something else than a path.
fn fill_for(purpose: Purpose, template: &str, value: &str) -> Result<Option<String>, String> {
    let schema = Schema::any_object();
    let scope = Scope::new(Root::Tool, &schema);
    let template = Template::parse("key", template, purpose, &|_| None, &scope)
        .map_err(|error| error.to_string())?;
    let text = json!({"x": value}).to_string();
    let values: Map<String, Value> = serde_json::from_str(&text).unwrap();
    let text: &RawValue = serde_json::from_str(&text).unwrap();
    template.text(&BindingData::of_arguments(&values, text)).map_err(|error| error.to_string())
}

#[test]
fn a_text_takes_anything_on_one_line() {
    let fill = |value: &str| fill_for(Purpose::Text, "by {mcptoolargs.x}", value);
    let (long, longer) = ("x".repeat(1_024), "x".repeat(1_025));
    for value in ["a", "..", "a/b\\c", "é: 日本語 🦀", "{x} %y%", " ", &long] {
        assert_eq!(fill(value), Ok(Some(format!("by {value}"))));
    }
    let reason = |value| fill(value).unwrap_err();
    let refused = "argument `x` cannot be part of a text: it";
    assert_eq!(reason(""), format!("{refused} is empty"));
    assert_eq!(reason(&longer), format!("{refused} is longer than 1024 bytes"));
    for value in ["a\nb", "a\r", "\0", "\u{2028}", "\u{2029}", "\u{85}"] {
        assert_eq!(reason(value), format!("{refused} holds a control character"), "{value:?}");
    }
    assert_eq!(
        fill_for(Purpose::Text, "{mcptoolargs.x:path}", "a"),
        Err("key `{mcptoolargs.x:path}`: unknown format in `{mcptoolargs.x:path}` at position 1 \
            (here a value has no format)"
            .to_owned())
    );
}

#[test]
fn a_value_in_a_url_is_encoded_and_stays_in_its_place() {
    let fill = |template: &str, value: &str| fill_for(Purpose::Url, template, value);
    for (template, value, expected) in [
        ("https://h/a/{mcptoolargs.x}", "b", "https://h/a/b"),
        ("https://h/{mcptoolargs.x}/c", "a/b", "https://h/a%2Fb/c"),
        ("https://h/{mcptoolargs.x:path}/c", "a/b c", "https://h/a/b%20c/c"),
        ("https://h/?q={mcptoolargs.x}", "a&b=c#d?e+%", "https://h/?q=a%26b%3Dc%23d%3Fe%2B%25"),
        ("https://h/?q={mcptoolargs.x}", "-._~é\n", "https://h/?q=-._~%C3%A9%0A"),
        ("https://h/{mcptoolargs.x}", "%2ea", "https://h/%252ea"),
        ("https://h/?q=.{mcptoolargs.x}", ".a", "https://h/?q=..a"),
        ("https://h/{mcptoolargs.x}", "@evil.example:80", "https://h/%40evil.example%3A80"),
    ] {
        assert_eq!(fill(template, value), Ok(Some(expected.to_owned())));
    }
    for value in ["", ".", "..", "%2e%2e", "../a", "a/..", "..\\a", "a\\.", &"x".repeat(1_025)] {
        for template in ["https://h/{mcptoolargs.x}", "https://h/{mcptoolargs.x:path}"] {
            let error = fill(template, value).unwrap_err();
            let start = "argument `x` cannot be part of a URL: it ";
            assert!(error.starts_with(start), "{value}: {error}");
        }
    }
    assert_eq!(
        fill("https://h/{mcptoolargs.x:path}", "a//b"),
        Err("argument `x` cannot be part of a URL: it has an empty path segment".to_owned())
    );
    assert_eq!(
        fill("https://h/.{mcptoolargs.x}/a", "%2f"),
        Err("argument `x` makes a URL that has a path segment `.` or `..`".to_owned())
    );
    assert_eq!(fill("https://h/.{mcptoolargs.x}", ".a"), Ok(Some("https://h/..a".to_owned())));
}
