//! The members of a JSON object as they are written: in order, repeated names kept, values left as text.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of an object. What a repeated name means is for the reader to say.
pub(crate) struct Members<'a>(pub(crate) Vec<(Cow<'a, str>, &'a RawValue)>);

/// Borrowed unless it has escapes; a plain `Cow` would always be owned.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::Members;

    #[test]
    fn members_keep_their_order_their_repetitions_and_their_text() {
        let Members(members) =
            serde_json::from_str(r#"{"b": 1.50, "a": [ ], "b": null, "\u0063": 1}"#).unwrap();
        let shown: Vec<_> = members.iter().map(|(name, value)| (&**name, value.get())).collect();
        assert_eq!(shown, [("b", "1.50"), ("a", "[ ]"), ("b", "null"), ("c", "1")]);
        assert!(matches!(members[0].0, Cow::Borrowed(_)));
        assert!(serde_json::from_str::<Members<'_>>("[]").is_err());
    }
}
