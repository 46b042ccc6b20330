//! `x-mcp-header`: arguments that the client repeats in a header (2026-07-28, streamable-http, Custom Headers).

#[cfg(test)]
mod properties;

use serde_json::{Value, value::RawValue};

use crate::{
    function::Schema,
    protocol::{Context, error::ProtocolError, modern::headers::decode, raw},
};

/// An argument that is repeated in a header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mirrored {
    /// The chain of properties that leads to it.
    path: Vec<String>,
    /// The header, in lower case.
    header: String,
}

/// Finds the annotated properties of an input schema: those that a chain of `properties` alone leads to.
///
/// An annotation that breaks the rules is left out: a client that keeps to them drops the whole tool.
pub(super) fn of(schema: &Schema) -> Vec<Mirrored> {
    let mut found = Vec::new();
    collect(schema.value(), &mut Vec::new(), &mut found);
    found
}

fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<Mirrored>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        path.push(name.clone());
        let is_primitive =
            matches!(property["type"].as_str(), Some("string" | "integer" | "boolean"));
        if let Some(header) =
            property["x-mcp-header"].as_str().filter(|name| is_primitive && is_token(name))
        {
            let header = format!("mcp-param-{}", header.to_ascii_lowercase());
            found.push(Mirrored { path: path.clone(), header });
        }
        collect(property, path, found);
        path.pop();
    }
}

/// RFC 9110, 5.6.2.
fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

impl Mirrored {
    /// Checks that the header says what the argument says, and nothing where there is none.
    pub(super) fn check(
        &self,
        context: &Context<'_>,
        arguments: Option<&RawValue>,
    ) -> Result<(), ProtocolError> {
        let header = match context.header(&self.header)? {
            Some(value) => {
                let decoded = decode(value);
                Some(decoded.ok_or_else(|| {
                    ProtocolError::Header(format!("{} is not valid base64 of UTF-8", self.header))
                })?)
            }
            None => None,
        };
        match (self.argument(arguments), header) {
            (None, None) => Ok(()),
            (Some(argument), Some(header)) if is_same(argument, &header) => Ok(()),
            (Some(argument), Some(header)) => {
                Err(ProtocolError::mismatch(&self.header, &header, argument.get()))
            }
            (Some(_), None) => Err(ProtocolError::Header(format!("{} is missing", self.header))),
            (None, Some(header)) => Err(ProtocolError::mismatch(&self.header, &header, "null")),
        }
    }

    /// The value at the path. None: absent or null.
    fn argument<'a>(&self, arguments: Option<&'a RawValue>) -> Option<&'a RawValue> {
        let found =
            self.path.iter().try_fold(arguments?, |value, name| raw::member(value.get(), name))?;
        (found.get() != "null").then_some(found)
    }
}

/// Compares by what the argument is, not by what the schema says: a wrong type is for the schema to refuse.
fn is_same(argument: &RawValue, header: &str) -> bool {
    match argument.get().as_bytes() {
        [b'"', ..] => raw::string(argument).is_some_and(|text| text == header),
        [b'{' | b'[', ..] => true,
        [b't' | b'f', ..] => argument.get() == header,
        // `42.0` is 42 (Server Validation, note).
        _ => match (argument.get().parse::<i128>(), header.parse::<i128>()) {
            (Ok(argument), Ok(header)) => argument == header,
            _ => argument
                .get()
                .parse::<f64>()
                .ok()
                .is_some_and(|number| header.parse() == Ok(number)),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{is_same, of};
    use crate::{
        function::{Schema, TransportKind},
        protocol::{Context, Headers, Unreadable},
    };

    #[derive(Debug)]
    struct One(Option<&'static str>);

    impl Headers for One {
        fn get(&self, name: &str) -> Result<Option<&str>, Unreadable> {
            Ok(self.0.filter(|_| name == "mcp-param-region"))
        }

        fn joined(&self, _name: &str) -> Option<String> {
            None
        }
    }

    fn check(arguments: &str, header: Option<&'static str>, expected: bool) {
        let text = r#"{"type":"object","properties":{"place":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}}"#;
        let mirrored = of(&Schema::parse_input(text.to_owned()).unwrap());
        let arguments: &RawValue = serde_json::from_str(arguments).unwrap();
        let headers = One(header);
        let context = Context::of(TransportKind::Http, Some(&headers));
        assert_eq!(
            mirrored[0].check(&context, Some(arguments)).is_ok(),
            expected,
            "{arguments} {header:?}"
        );
    }

    #[test]
    fn the_header_must_say_what_the_argument_says() {
        check(r#"{"place":{"region":"eu"}}"#, Some("eu"), true);
        check(r#"{"place":{"region":"eu"}}"#, Some("=?base64?ZXU=?="), true);
        check(r#"{"place":{"region":"é"}}"#, Some("=?base64?w6k=?="), true);
        check(r#"{"place":{"region":"eu"}}"#, Some("EU"), false);
        check(r#"{"place":{"region":"eu"}}"#, Some("=?base64?ZXU?="), false);
        check(r#"{"place":{"region":"eu"}}"#, None, false);
    }

    #[test]
    fn no_header_is_expected_where_there_is_no_argument() {
        for arguments in ["{}", r#"{"place":{}}"#, r#"{"place":{"region":null}}"#, r#"{"place":7}"#]
        {
            check(arguments, None, true);
            check(arguments, Some("eu"), false);
        }
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        for (argument, header, expected) in [
            ("42", "42", true),
            ("42", "42.0", true),
            ("42.0", "42", true),
            ("-7", "-7", true),
            ("42", "43", false),
            ("42", "x", false),
            ("9007199254740993", "9007199254740992", false),
            ("true", "true", true),
            ("true", "True", false),
        ] {
            let raw: &RawValue = serde_json::from_str(argument).unwrap();
            assert_eq!(is_same(raw, header), expected, "{argument} {header}");
        }
    }

    #[test]
    fn only_properties_that_a_plain_chain_leads_to_are_repeated() {
        let text = r#"{"type":"object","properties":{
            "a":{"type":"string","x-mcp-header":"A"},
            "b":{"type":"number","x-mcp-header":"B"},
            "c":{"type":"array","items":{"type":"string","x-mcp-header":"C"}},
            "d":{"type":"string","x-mcp-header":"not a token"},
            "e":{"type":"string","x-mcp-header":""}
        },"anyOf":[{"properties":{"f":{"type":"string","x-mcp-header":"F"}}}]}"#;
        let mirrored = of(&Schema::parse_input(text.to_owned()).unwrap());
        assert_eq!(
            mirrored.iter().map(|one| one.header.as_str()).collect::<Vec<_>>(),
            ["mcp-param-a"]
        );
    }
}
