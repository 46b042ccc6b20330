//! Schemas from tool properties, in Azure's form, and schemas that are given: what is taken and what is not.

use super::{PropertyKind, Schema, SchemaError, ToolProperty};

fn property(name: &str, kind: PropertyKind) -> ToolProperty {
    ToolProperty {
        name: name.to_owned(),
        kind,
        description: None,
        required: false,
        array: false,
        enum_values: Vec::new(),
    }
}

fn check(properties: &[ToolProperty], expected: &str) {
    assert_eq!(Schema::from_properties(properties).text().get(), expected);
}

#[test]
fn no_properties_are_an_object_of_anything() {
    check(&[], r#"{"type":"object","properties":{},"required":[]}"#);
}

#[test]
fn properties_keep_their_order_and_the_required_ones_are_named() {
    let name = ToolProperty {
        description: Some("A name.".to_owned()),
        required: true,
        ..property("name", PropertyKind::String)
    };
    check(
        &[name.clone(), property("age", PropertyKind::Integer), name],
        r#"{"type":"object","properties":{"name":{"type":"string","description":"A name."},"age":{"type":"integer","description":""}},"required":["name"]}"#,
    );
}

#[test]
fn allowed_values_are_of_the_items_of_an_array_and_else_of_the_property() {
    let status = ToolProperty {
        enum_values: ["active", "inactive"].map(str::to_owned).to_vec(),
        ..property("status", PropertyKind::String)
    };
    let array = ToolProperty { array: true, required: true, ..status.clone() };
    check(
        &[status],
        r#"{"type":"object","properties":{"status":{"type":"string","enum":["active","inactive"],"description":""}},"required":[]}"#,
    );
    check(
        &[array],
        r#"{"type":"object","properties":{"status":{"type":"array","items":{"type":"string","enum":["active","inactive"]},"description":""}},"required":["status"]}"#,
    );
}

#[test]
fn a_blank_name_is_no_property() {
    check(
        &[property(" ", PropertyKind::Object)],
        r#"{"type":"object","properties":{},"required":[]}"#,
    );
}

#[test]
fn a_given_schema_is_published_as_it_is_written() {
    let text = r#"{ "type":"object",  "properties":{"a":true}, "x-b" : [ 1.50 ] }"#;
    assert_eq!(Schema::parse_input(text.to_owned()).unwrap().text().get(), text);
}

#[test]
fn a_schema_whose_root_is_no_object_is_refused() {
    for text in [
        r#"{"type":"string"}"#,
        r#"{"properties":{}}"#,
        r#"{"type":"Object"}"#,
        r#"{"type":["object"]}"#,
        r#"{"type":null}"#,
        r#"{"type":5}"#,
        r#"{"type":{}}"#,
        r#"[{"type":"object"}]"#,
        r#""object""#,
    ] {
        let refused = Schema::parse_input(text.to_owned());
        assert!(matches!(refused, Err(SchemaError::Root)), "{text}: {refused:?}");
    }
}

#[test]
fn members_of_the_wrong_kind_are_refused() {
    for text in [r#"{"type":"object","properties":[]}"#, r#"{"type":"object","properties":null}"#] {
        assert!(
            matches!(Schema::parse_input(text.to_owned()), Err(SchemaError::Properties)),
            "{text}"
        );
    }
    for text in [
        r#"{"type":"object","required":{}}"#,
        r#"{"type":"object","required":null}"#,
        r#"{"type":"object","required":[1]}"#,
    ] {
        assert!(
            matches!(Schema::parse_input(text.to_owned()), Err(SchemaError::Required)),
            "{text}"
        );
    }
}

#[test]
fn what_is_not_strict_json_is_refused() {
    for text in
        ["", " ", r#"{"type":"object",}"#, r#"{"type":"object"} // a"#, r#"{"type":"object""#]
    {
        assert!(
            matches!(Schema::parse_input(text.to_owned()), Err(SchemaError::Syntax(_))),
            "{text}"
        );
    }
}

#[test]
fn an_output_schema_may_be_of_any_type() {
    assert!(Schema::parse(r#"{"type":"array"}"#.to_owned()).is_ok());
    assert!(matches!(Schema::parse("[]".to_owned()), Err(SchemaError::NoObject)));
}
