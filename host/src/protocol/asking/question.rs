//! A question as a request of the protocol, which is the same in both eras.

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::function::{Ask, Question};

/// The `method` and `params` of a question.
pub(in crate::protocol) struct Request<'a> {
    question: &'a Question,
    /// What a page goes by until it is done (2025-11-25, client/elicitation); 2026-07-28 has none.
    elicitation_id: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// As 2026-07-28 writes it.
    pub(in crate::protocol) fn modern(question: &'a Question) -> Self {
        Self { question, elicitation_id: None }
    }

    /// As 2025-11-25 and before write it; pages are known by this id.
    pub(in crate::protocol) fn legacy(question: &'a Question, elicitation_id: &'a str) -> Self {
        Self { question, elicitation_id: Some(elicitation_id) }
    }

    /// The method.
    pub(in crate::protocol) fn method(&self) -> &'static str {
        match &self.question.ask {
            Ask::Form { .. } | Ask::Url { .. } => "elicitation/create",
            Ask::Sampling(_) => "sampling/createMessage",
            Ask::Roots => "roots/list",
        }
    }

    /// The params.
    pub(in crate::protocol) fn params(&self) -> Params<'_> {
        Params(self)
    }
}

impl Serialize for Request<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("method", self.method())?;
        map.serialize_entry("params", &self.params())?;
        map.end()
    }
}

/// The `params` of a question.
pub(in crate::protocol) struct Params<'a>(&'a Request<'a>);

impl Serialize for Params<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The function wrote it, unchanged.
        if let Ask::Sampling(params) = &self.0.question.ask {
            return params.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        match &self.0.question.ask {
            // Without a mode, a form is meant (2025-11-25, client/elicitation): what older clients read.
            Ask::Form { message, schema } => {
                map.serialize_entry("message", message)?;
                map.serialize_entry("requestedSchema", schema)?;
            }
            Ask::Url { message, url } => {
                map.serialize_entry("mode", "url")?;
                map.serialize_entry("message", message)?;
                map.serialize_entry("url", url)?;
                if let Some(id) = self.0.elicitation_id {
                    map.serialize_entry("elicitationId", id)?;
                }
            }
            Ask::Sampling(_) | Ask::Roots => {}
        }
        map.end()
    }
}
