//! What a client says of itself: `clientInfo` and its capabilities, in `_meta` of a modern request and in `initialize`
//! of a legacy one.

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::{error::ProtocolError, raw};
use crate::function::{Ask, Client, Question};

/// The extension by which a client takes tasks.
pub(super) const TASKS: &str = "io.modelcontextprotocol/tasks";

#[derive(Deserialize)]
struct ClientInfo<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    version: Option<&'a RawValue>,
}

/// Reads who sent a request. A client should say it and need not: what is no name is no reason to refuse.
pub(super) fn parse(info: &RawValue) -> Option<Client> {
    let info: ClientInfo<'_> = raw::object(info.get())?;
    let name = raw::string(info.name?)?.into_owned();
    let version = info.version.and_then(raw::string).unwrap_or_default().into_owned();
    Some(Client { name, version })
}

/// What a client can be asked for, and whether it takes tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a client declares each, or does not")]
pub(super) struct Abilities {
    form: bool,
    url: bool,
    sampling: bool,
    sampling_tools: bool,
    roots: bool,
    /// It takes tasks instead of results.
    pub(super) tasks: bool,
}

impl Abilities {
    /// Reads `ClientCapabilities`. What is not an object declares nothing.
    pub(super) fn parse(capabilities: &str) -> Self {
        let Ok(capabilities) = serde_json::from_str::<Value>(capabilities) else {
            return Self::default();
        };
        let declares = |path: &[&str]| {
            let found = path.iter().try_fold(&capabilities, |value, name| value.get(name));
            found.is_some_and(Value::is_object)
        };
        let elicitation = declares(&["elicitation"]);
        let url = declares(&["elicitation", "url"]);
        Self {
            // An empty object means forms (2025-11-25, client/elicitation, Capabilities).
            form: elicitation && (declares(&["elicitation", "form"]) || !url),
            url,
            sampling: declares(&["sampling"]),
            sampling_tools: declares(&["sampling", "tools"]),
            roots: declares(&["roots"]),
            tasks: declares(&["extensions", TASKS]),
        }
    }

    /// Nobody may be asked for what it did not declare (2026-07-28, basic/patterns/mrtr).
    pub(super) fn allow<'a>(
        self,
        questions: impl IntoIterator<Item = &'a Question>,
    ) -> Result<(), ProtocolError> {
        for question in questions {
            let (is_declared, required) = match &question.ask {
                Ask::Form { .. } => (self.form, json!({ "elicitation": { "form": {} } })),
                Ask::Url { .. } => (self.url, json!({ "elicitation": { "url": {} } })),
                Ask::Sampling(params) if uses_tools(params) => {
                    (self.sampling && self.sampling_tools, json!({ "sampling": { "tools": {} } }))
                }
                Ask::Sampling(_) => (self.sampling, json!({ "sampling": {} })),
                Ask::Roots => (self.roots, json!({ "roots": {} })),
            };
            if !is_declared {
                return Err(ProtocolError::Capability { required });
            }
        }
        Ok(())
    }

    /// What a client lacks for tasks.
    pub(super) fn needs_tasks() -> ProtocolError {
        ProtocolError::Capability { required: json!({ "extensions": { TASKS: {} } }) }
    }
}

fn uses_tools(params: &RawValue) -> bool {
    ["tools", "toolChoice"].iter().any(|name| raw::member(params.get(), name).is_some())
}

#[cfg(test)]
mod tests {
    use super::Abilities;
    use crate::function::{Ask, Question};

    fn check(capabilities: &str, ask: Ask, expected: bool) {
        let question = Question { key: "k".to_owned(), ask };
        let allowed = Abilities::parse(capabilities).allow([&question]);
        assert_eq!(allowed.is_ok(), expected, "{capabilities} {question:?}");
    }

    fn form() -> Ask {
        let schema = serde_json::value::to_raw_value(&serde_json::json!({})).unwrap();
        Ask::Form { message: String::new(), schema }
    }

    fn url() -> Ask {
        Ask::Url { message: String::new(), url: String::new() }
    }

    fn sampling(params: &str) -> Ask {
        Ask::Sampling(serde_json::from_str(params).unwrap())
    }

    #[test]
    fn only_what_was_declared_is_allowed() {
        check(r#"{"elicitation":{}}"#, form(), true);
        check(r#"{"elicitation":{}}"#, url(), false);
        check(r#"{"elicitation":{"form":{}}}"#, url(), false);
        check(r#"{"elicitation":{"url":{}}}"#, url(), true);
        check(r#"{"elicitation":{"url":{}}}"#, form(), false);
        check(r#"{"elicitation":{"url":{},"form":{}}}"#, form(), true);
        check(r#"{"sampling":{}}"#, sampling("{}"), true);
        check(r#"{"sampling":{}}"#, sampling(r#"{"tools":[]}"#), false);
        check(r#"{"sampling":{"tools":{}}}"#, sampling(r#"{"toolChoice":{}}"#), true);
        check(r#"{"roots":{"listChanged":true}}"#, Ask::Roots, true);
        for nothing in ["{}", "[]", "x", r#"{"roots":true,"sampling":null,"elicitation":1}"#] {
            for ask in [form(), url(), sampling("{}"), Ask::Roots] {
                check(nothing, ask, false);
            }
        }
    }
}
