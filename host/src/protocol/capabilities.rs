//! What is served, as both eras announce it: only what there is something of. The methods are there all the same, since
//! what there is of a kind may come and go while a client is connected.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{client, revision::Era, skills};
use crate::function::{Catalog, Function, TaskSupport};

/// `ServerCapabilities` of the protocol.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Capabilities {
    tools: ListCapability,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<ResourcesCapability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompts: Option<ListCapability>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completions: Option<Map<String, Value>>,
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
        // The files of skills are resources.
        let has_resources = has_skills || has(|function| function.resource().is_some());
        let resources =
            has_resources.then(|| ResourcesCapability { subscribe: true, list: list.clone() });
        let mut extensions = Map::new();
        if has_skills {
            extensions.insert(skills::EXTENSION.to_owned(), json!({ "directoryRead": true }));
        }
        // The tasks of 2025-11-25 were an experiment, and are another thing.
        if era == Era::Modern && has(|function| function.task() != TaskSupport::Forbidden) {
            extensions.insert(client::TASKS.to_owned(), json!({}));
        }
        Self {
            prompts: has(|function| function.prompt().is_some()).then(|| list.clone()),
            tools: list,
            resources,
            completions: has(|function| function.trigger.completes()).then(Map::new),
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
    fn what_there_is_nothing_of_is_not_announced() {
        let expected = r#"{"tools":{"listChanged":true},"logging":{}}"#;
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
