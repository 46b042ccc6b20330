//! What a round of questions is about: answers to one request must not be answers to another.

use serde_json::{Value, value::RawValue};

/// The request that asks.
#[derive(Clone, Copy, Debug)]
pub(in crate::protocol) struct Subject<'a> {
    /// The method.
    pub(in crate::protocol) method: &'static str,
    /// The name of the tool or prompt, or the URI of the resource.
    pub(in crate::protocol) name: &'a str,
    /// The arguments, an object.
    pub(in crate::protocol) arguments: &'a RawValue,
    /// Who asks.
    pub(in crate::protocol) principal: Option<&'a str>,
}

impl Subject<'_> {
    /// What tells it from every other request.
    pub(super) fn digest(&self) -> [u8; blake3::OUT_LEN] {
        let mut hasher = blake3::Hasher::new();
        let principal = self.principal.map_or("none".to_owned(), |name| format!("some {name}"));
        for part in [self.method, self.name, &principal] {
            hasher.update(&(part.len() as u64).to_be_bytes()).update(part.as_bytes());
        }
        // A client may write the same arguments in another order when it comes again.
        match serde_json::from_str(self.arguments.get()) {
            Ok(arguments) => update(&mut hasher, &arguments),
            Err(_) => _ = hasher.update(self.arguments.get().as_bytes()),
        }
        *hasher.finalize().as_bytes()
    }
}

fn update(hasher: &mut blake3::Hasher, value: &Value) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort();
            hasher.update(b"{").update(&(names.len() as u64).to_be_bytes());
            for name in names {
                hasher.update(&(name.len() as u64).to_be_bytes()).update(name.as_bytes());
                update(hasher, &members[name]);
            }
        }
        Value::Array(items) => {
            hasher.update(b"[").update(&(items.len() as u64).to_be_bytes());
            for item in items {
                update(hasher, item);
            }
        }
        scalar => {
            let text = scalar.to_string();
            hasher.update(&(text.len() as u64).to_be_bytes()).update(text.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Subject;

    fn digest(name: &str, arguments: &str, principal: Option<&str>) -> [u8; 32] {
        let arguments: Box<serde_json::value::RawValue> = serde_json::from_str(arguments).unwrap();
        Subject { method: "tools/call", name, arguments: &arguments, principal }.digest()
    }

    #[test]
    fn the_order_of_members_does_not_matter_and_all_else_does() {
        let digest_of = |arguments| digest("a", arguments, None);
        let one = digest_of(r#"{"x":1,"y":[{"z":"2","w":null}]}"#);
        assert_eq!(one, digest_of(r#"{ "y": [ { "w": null, "z": "2" } ], "x": 1 }"#));
        for other in [
            r#"{"x":"1","y":[{"z":"2","w":null}]}"#,
            r#"{"x":1,"y":[{"z":"2"}]}"#,
            r#"{"x":1,"y":{"z":"2","w":null}}"#,
            "{}",
        ] {
            assert_ne!(one, digest_of(other), "{other}");
        }
        assert_ne!(digest("a", "{}", None), digest("b", "{}", None));
        assert_ne!(digest("a", "{}", None), digest("a", "{}", Some("x")));
        assert_ne!(digest("a", "{}", Some("x")), digest("a", "{}", Some("y")));
    }
}
