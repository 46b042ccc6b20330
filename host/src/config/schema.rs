//! The JSON Schema of host.json, and what it says of each place.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::nearest;

/// The JSON Schema of host.json, with every key, its default and an example.
pub const SCHEMA: &str = include_str!("host.schema.json");

static ROOT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(SCHEMA).expect("a test reads the schema"));

/// All that the schema says of one place: the schema itself and what it refers to.
pub(super) struct Node {
    schemas: Vec<&'static Value>,
    items: Vec<&'static Value>,
}

/// The schema of the document.
pub(super) fn root() -> &'static Value {
    &ROOT
}

/// Whether a place is a setting of Azure that has no meaning here.
pub(super) fn is_ignored(nodes: &[&'static Value]) -> bool {
    is_marked(nodes, "x-mcpfn-ignored")
}

/// Whether a place asks for the gate.
pub(super) fn is_gate(nodes: &[&'static Value]) -> bool {
    is_marked(nodes, "x-mcpfn-gate")
}

/// Whether a place is a key of Azure that would change what is served, and cannot here.
pub(super) fn is_unsupported(nodes: &[&'static Value]) -> bool {
    is_marked(nodes, "x-mcpfn-unsupported")
}

fn is_marked(nodes: &[&'static Value], mark: &str) -> bool {
    Node::of(nodes, None).schemas.iter().any(|schema| schema.get(mark).is_some())
}

impl Node {
    /// Follows references, and conditions on `type` when the type of the value is known.
    pub(super) fn of(nodes: &[&'static Value], kind: Option<&str>) -> Self {
        let mut schemas = Vec::new();
        for node in nodes {
            expand(node, kind, &mut schemas);
        }
        let items = schemas.iter().filter_map(|schema| schema.get("items")).collect();
        Self { schemas, items }
    }

    /// The known spelling of a key that was written in any case.
    pub(super) fn spelling(&self, written: &str) -> Option<&'static str> {
        let exact = self.keys().find(|key| *key == written);
        exact.or_else(|| self.keys().find(|key| key.eq_ignore_ascii_case(written)))
    }

    /// What is said of a member. None: there may be no such key.
    pub(super) fn member(&self, key: &str) -> Option<Vec<&'static Value>> {
        let known: Vec<_> = self.tables().filter_map(|table| table.get(key)).collect();
        if !known.is_empty() {
            return Some(known);
        }
        let others: Vec<_> =
            self.schemas.iter().filter_map(|schema| schema.get("additionalProperties")).collect();
        let closed = others.iter().any(|schema| **schema == Value::Bool(false));
        (!closed).then_some(others)
    }

    /// Whether keys are names that users choose.
    pub(super) fn has_open_keys(&self) -> bool {
        self.schemas
            .iter()
            .any(|schema| schema.get("additionalProperties").is_some_and(Value::is_object))
    }

    /// What to say of an unknown key: the one that was probably meant, or all that mean something here.
    pub(super) fn hint(&self, written: &str) -> String {
        let served = |(_, schema): &(_, &'static Value)| {
            !is_ignored(&[*schema]) && !is_gate(&[*schema]) && !is_unsupported(&[*schema])
        };
        let mut known: Vec<&str> = Vec::new();
        for (key, _) in self.tables().flatten().filter(served) {
            // A condition may say more of a key that is there already.
            if !known.contains(&key.as_str()) {
                known.push(key);
            }
        }
        nearest::hint(written, known)
    }

    /// What is said of the items of an array.
    pub(super) fn items(&self) -> &[&'static Value] {
        &self.items
    }

    /// Whether a string may stand for the array that it holds.
    pub(super) fn may_hold_json(&self) -> bool {
        let both = serde_json::json!(["array", "string"]);
        self.schemas.iter().any(|schema| schema.get("type") == Some(&both))
    }

    fn tables(&self) -> impl Iterator<Item = &'static Map<String, Value>> {
        self.schemas.iter().filter_map(|schema| schema.get("properties")?.as_object())
    }

    fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.tables().flat_map(Map::keys).map(String::as_str)
    }
}

fn expand(node: &'static Value, kind: Option<&str>, schemas: &mut Vec<&'static Value>) {
    schemas.push(node);
    if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
        let target = ROOT.pointer(reference.trim_start_matches('#'));
        expand(target.expect("a test follows every reference"), kind, schemas);
    }
    if let Some(wanted) = node.pointer("/if/properties/type/const").and_then(Value::as_str) {
        let branch = if kind == Some(wanted) { "then" } else { "else" };
        if let Some(branch) = node.get(branch) {
            expand(branch, kind, schemas);
        }
    }
}
