//! What is served, as both eras announce it.
//!
//! All that a component could bring is announced, whether or not one is there that does: a reload may add it, and a
//! client of the legacy era asks once. Extensions are, where there is something of them.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{client, revision::Era, skills};
use crate::function::{Catalog, Function, TaskSupport};

/// `ServerCapabilities` of the protocol.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Capabilities {
    tools: ListCapability,
    resources: ResourcesCapability,
    prompts: ListCapability,
    completions: Map<String, Value>,
    logging: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Map<String, Value>>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListCapability {
    // There is a stream for it in either era, and the host is reloaded.
    list_changed: bool,
}

#[derive(Serialize)]
struct ResourcesCapability {
    subscribe: bool,
    #[serde(flatten)]
    list: ListCapability,
}

impl Capabilities {
    /// What an era announces of this catalog.
    pub(super) fn new(catalog: &Catalog, era: Era) -> Self {
        let list = ListCapability { list_changed: true };
        let has =
            |fits: fn(&Function) -> bool| catalog.functions().iter().any(|function| fits(function));
        let has_skills = !catalog.skills().is_empty();
        let mut extensions = Map::new();
        if has_skills {
            extensions.insert(skills::EXTENSION.to_owned(), json!({ "directoryRead": true }));
        }
        // The tasks of 2025-11-25 were an experiment, and are another thing.
        if era == Era::Modern && has(|function| function.task() != TaskSupport::Forbidden) {
            extensions.insert(client::TASKS.to_owned(), json!({}));
        }
        Self {
            tools: list.clone(),
            resources: ResourcesCapability { subscribe: true, list: list.clone() },
            prompts: list,
            completions: Map::new(),
            logging: Map::new(),
            extensions: (!extensions.is_empty()).then_some(extensions),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Capabilities, Era};
    use crate::{function::Catalog, protocol::sample};

    #[track_caller]
    fn check(catalog: &Catalog, era: Era, expected: &str) {
        let capabilities = Capabilities::new(catalog, era);
        assert_eq!(serde_json::to_string(&capabilities).unwrap(), expected);
    }

    #[test]
    fn what_a_reload_may_add_is_announced_and_extensions_that_nobody_uses_are_not() {
        let expected = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"logging":{}}"#;
        check(&Catalog::default(), Era::Modern, expected);
        check(&Catalog::default(), Era::Legacy, expected);
    }

    #[test]
    fn all_that_there_is_is_announced() {
        let expected = r#"{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"logging":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}}"#;
        check(&sample::catalog(), Era::Modern, expected);
        check(&sample::catalog(), Era::Legacy, expected);
    }
}
