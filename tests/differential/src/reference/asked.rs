//! What a tool asks the client, written once for both eras.

use rmcp::{
    model::{
        ErrorData, InputRequest, InputRequests, InputRequiredResult, InputResponses,
        ProtocolVersion,
    },
    service::{RequestContext, RoleServer, ServiceError},
};
use serde_json::Value;

use super::invalid_params;

/// The answers so far, and the questions that are open.
pub(super) struct Asked {
    answers: InputResponses,
    /// What came back with them; 2026-07-28 only.
    pub(super) state: Option<String>,
    open: InputRequests,
}

impl Asked {
    pub(super) fn new(answers: Option<InputResponses>, state: Option<String>) -> Self {
        Self { answers: answers.unwrap_or_default(), state, open: InputRequests::new() }
    }

    /// The answers, by question; none where the client has to be asked by a result.
    pub(super) async fn ask(
        &mut self,
        context: &RequestContext<RoleServer>,
        questions: &[(&str, InputRequest)],
    ) -> Result<Option<Vec<Value>>, ErrorData> {
        let mut answers = Vec::new();
        for (key, question) in questions {
            if is_modern(context) {
                match self.answers.get(*key) {
                    Some(answer) if answer.is_object() => answers.push(answer.clone()),
                    Some(_) => return Err(invalid_params(format!("malformed answer `{key}`"))),
                    None => {
                        self.open.insert((*key).to_owned(), question.clone());
                    }
                }
            } else {
                answers.push(send(context, question.clone()).await?);
            }
        }
        Ok(self.open.is_empty().then_some(answers))
    }

    /// The result that asks.
    pub(super) fn required(self, state: Option<&str>) -> InputRequiredResult {
        InputRequiredResult::new(Some(self.open), state.map(str::to_owned))
    }
}

/// Whether the client is asked by a result, and not by a request.
pub(super) fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

async fn send(
    context: &RequestContext<RoleServer>,
    question: InputRequest,
) -> Result<Value, ErrorData> {
    let peer = &context.peer;
    let failed = |error: ServiceError| ErrorData::internal_error(error.to_string(), None);
    let answer = match question {
        InputRequest::CreateMessage(request) => {
            serde_json::to_value(peer.create_message(request.params).await.map_err(failed)?)
        }
        InputRequest::Elicitation(request) => {
            serde_json::to_value(peer.create_elicitation(request.params).await.map_err(failed)?)
        }
        _ => serde_json::to_value(peer.list_roots().await.map_err(failed)?),
    };
    answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))
}
