//! Schemas without references, for clients that do not follow them.

use serde_json::{Map, Value};

/// How large a schema may become; one that would be larger stays as it is.
const MAX_NODES: usize = 10_000;

/// How deep references may lead into one another.
const MAX_DEPTH: usize = 64;

/// What holds values, and no schemas.
const VALUES: [&str; 4] = ["const", "default", "enum", "examples"];

/// The schema with every reference replaced by what it names. None: there is none, or one that cannot be replaced,
/// since it names itself, something dynamic, or nothing in the schema.
pub(super) fn inlined(schema: &Value) -> Option<Value> {
    let mut walk = Walk { root: schema, n_nodes: 0, followed: Vec::new(), found: false };
    let mut inlined = walk.value(schema)?;
    if let Some(members) = inlined.as_object_mut() {
        // Nothing names them any more.
        members.shift_remove("$defs");
        members.shift_remove("definitions");
    }
    walk.found.then_some(inlined)
}

struct Walk<'s> {
    root: &'s Value,
    n_nodes: usize,
    /// The references that led here.
    followed: Vec<&'s str>,
    found: bool,
}

impl<'s> Walk<'s> {
    fn value(&mut self, value: &'s Value) -> Option<Value> {
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            return None;
        }
        match value {
            Value::Object(members) => self.object(members),
            Value::Array(items) => {
                items.iter().map(|item| self.value(item)).collect::<Option<_>>().map(Value::Array)
            }
            scalar => Some(scalar.clone()),
        }
    }

    fn object(&mut self, members: &'s Map<String, Value>) -> Option<Value> {
        if members.get("$dynamicRef").is_some_and(Value::is_string) {
            return None;
        }
        let mut inlined = match members.get("$ref") {
            Some(Value::String(reference)) => self.target(reference)?,
            _ => Map::new(),
        };
        for (name, value) in members {
            let is_reference = name == "$ref" && value.is_string();
            // Definitions are walked where they are named.
            if is_reference || name == "$defs" || name == "definitions" {
                continue;
            }
            let is_values = VALUES.contains(&name.as_str());
            let value = if is_values { value.clone() } else { self.value(value)? };
            // What stands beside a reference holds as well: only a text may be replaced by the nearer one.
            let is_text =
                value.is_string() || inlined.get(name).is_none_or(|other| *other == value);
            if !is_text {
                return None;
            }
            inlined.insert(name.clone(), value);
        }
        Some(Value::Object(inlined))
    }

    fn target(&mut self, reference: &'s str) -> Option<Map<String, Value>> {
        self.found = true;
        if self.followed.contains(&reference) || self.followed.len() >= MAX_DEPTH {
            return None;
        }
        let pointer = reference.strip_prefix('#')?;
        let target = if pointer.is_empty() || pointer.starts_with('/') {
            self.root.pointer(pointer)?
        } else {
            anchored(self.root, pointer)?
        };
        self.followed.push(reference);
        let inlined = self.value(target)?;
        self.followed.pop();
        match inlined {
            Value::Object(mut members) => {
                members.shift_remove("$anchor");
                Some(members)
            }
            // `true` and `false` have no members to stand in for them.
            _ => None,
        }
    }
}

/// The schema with this `$anchor`.
fn anchored<'s>(schema: &'s Value, anchor: &str) -> Option<&'s Value> {
    match schema {
        Value::Object(members) if members.get("$anchor").is_some_and(|it| it == anchor) => {
            Some(schema)
        }
        Value::Object(members) => members.values().find_map(|value| anchored(value, anchor)),
        Value::Array(items) => items.iter().find_map(|item| anchored(item, anchor)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::inlined;

    #[track_caller]
    fn check(schema: Value, expected: Option<Value>) {
        assert_eq!(inlined(&schema), expected, "{schema}");
    }

    #[test]
    fn a_reference_is_replaced_by_what_it_names() {
        check(
            json!({
                "type": "object",
                "properties": {
                    "home": { "$ref": "#/$defs/address", "description": "Where to." },
                    "work": { "$ref": "#addressDef" }
                },
                "$defs": { "address": {
                    "$anchor": "addressDef", "type": "object",
                    "properties": { "city": { "$ref": "#/$defs/city" } }
                }, "city": { "type": "string" } }
            }),
            Some(json!({
                "type": "object",
                "properties": {
                    "home": {
                        "type": "object", "properties": { "city": { "type": "string" } },
                        "description": "Where to."
                    },
                    "work": { "type": "object", "properties": { "city": { "type": "string" } } }
                }
            })),
        );
    }

    #[test]
    fn what_cannot_be_replaced_stays_whole() {
        check(json!({ "type": "object" }), None);
        check(json!({ "properties": { "a": { "$ref": "#" } } }), None);
        check(json!({ "properties": { "a": { "$ref": "#/nowhere" } } }), None);
        check(json!({ "properties": { "a": { "$ref": "https://example.com/a" } } }), None);
        check(json!({ "$dynamicRef": "#a", "$ref": "#/$defs/a", "$defs": { "a": {} } }), None);
        let both_hold = json!({
            "$ref": "#/$defs/a", "minimum": 1, "$defs": { "a": { "minimum": 2 } }
        });
        check(both_hold, None);
    }

    #[test]
    fn values_and_names_are_no_references() {
        check(json!({ "const": { "$ref": "#/$defs/a" }, "$defs": { "a": {} } }), None);
        check(json!({ "properties": { "$ref": { "type": "string" } } }), None);
    }

    #[test]
    fn a_schema_that_would_grow_without_bound_stays_as_it_is() {
        let mut defs = serde_json::Map::new();
        for n in 0..40 {
            let next = format!("#/$defs/d{}", n + 1);
            defs.insert(format!("d{n}"), json!({ "anyOf": [{ "$ref": next }, { "$ref": next }] }));
        }
        defs.insert("d40".to_owned(), json!({ "type": "string" }));
        check(json!({ "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs }), None);
    }
}
