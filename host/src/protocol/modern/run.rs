//! Runs the function of a modern request: at once, in the background, or up to its next questions.

use std::{collections::BTreeMap, pin::pin, sync::Arc};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::RequestMeta;
use crate::{
    function::{Caller, Function, Invocation, Json, Outcome, TaskSupport},
    protocol::{
        Context, Protocol, Reply,
        asking::{Broken, Pending, Request as AskedRequest, Round, Subject},
        client::Abilities,
        error::ProtocolError,
        jsonrpc::Request,
        listed_headers::listed_headers,
        listener::Wanted,
        run::{Ended, once},
        tasks::{self, Begin, Created},
        tools::CallResult,
    },
    state::Task,
};

/// What a request comes to.
enum Answered {
    /// An outcome, or why there is none.
    Ended(Ended),
    /// The client is asked first.
    Asks(Pending),
    /// It goes on in the background.
    Task(Task),
}

/// A request for a function.
pub(super) struct Job<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) request: &'a Request<'a>,
    pub(super) meta: &'a RequestMeta<'a>,
    pub(super) subject: Subject<'a>,
    pub(super) function: &'a Arc<Function>,
}

impl Job<'_> {
    /// Runs it. What it ends with is made a reply by the family that the method is of.
    pub(super) async fn reply(
        &self,
        protocol: &Protocol,
        of_ended: impl FnOnce(Ended) -> Result<Reply, ProtocolError>,
    ) -> Result<Reply, ProtocolError> {
        let answered = {
            let run = pin!(self.run(protocol));
            run.await?
        };
        match answered {
            Answered::Ended(ended) => of_ended(ended),
            Answered::Asks(pending) => {
                Ok(self.request.reply(self.input_required(protocol, &pending)))
            }
            Answered::Task(task) => {
                let meta = &protocol.server.object;
                Ok(self.request.reply(Created { task: &task, meta }))
            }
        }
    }

    async fn run(&self, protocol: &Protocol) -> Result<Answered, ProtocolError> {
        let sealer = &protocol.shared.sealer;
        let params = &*self.request.params;
        let broken = |error: Broken| ProtocolError::Input(error.to_string());
        let mut n_rounds = 0;
        let mut resume = None;
        let brings_answers = brings_answers(params);
        if brings_answers {
            match Pending::round(params, sealer, &self.subject).await.map_err(broken)? {
                None => {}
                Some(Round::Answered { resume: answers, n_rounds: n }) => {
                    (resume, n_rounds) = (Some(answers), n);
                }
                Some(Round::Asks(pending)) => {
                    self.meta.abilities().allow(pending.open_questions())?;
                    return Ok(Answered::Asks(pending));
                }
            }
        }
        // Answers to questions that are still to come.
        let mut early = (brings_answers && resume.is_none()).then_some(params);
        let is_task = self.is_task(resume.is_some())?;
        let invocation = Invocation {
            resume,
            listener: Some(self.wanted()?.listener(
                self.context.outgoing,
                &protocol.shared.changes,
                self.function.trigger.name(),
            )),
            ..Invocation::new(
                Arc::clone(self.function),
                self.subject.arguments.to_owned(),
                caller(self.context, self.meta, self.function),
            )
        };
        if is_task {
            return self.begin(protocol, invocation).await;
        }
        let mut invocation = Arc::new(invocation);
        loop {
            let request = {
                let run = pin!(once(&protocol.host, &invocation));
                match run.await {
                    Ok(Outcome::InputRequired(request)) => request,
                    ended => return Ok(Answered::Ended(ended)),
                }
            };
            self.meta.abilities().allow(&request.questions)?;
            n_rounds += 1;
            let pending = Pending::new(request, n_rounds);
            let Some(params) = early.take() else { return Ok(Answered::Asks(pending)) };
            match pending.answered(params).await.map_err(broken)? {
                Round::Asks(pending) => return Ok(Answered::Asks(pending)),
                Round::Answered { resume, .. } => {
                    let resumed = invocation.resumed(resume);
                    if self.is_task(true)? {
                        return self.begin(protocol, resumed).await;
                    }
                    invocation = Arc::new(resumed);
                }
            }
        }
    }

    /// Lets it run in the background.
    async fn begin(
        &self,
        protocol: &Protocol,
        invocation: Invocation,
    ) -> Result<Answered, ProtocolError> {
        let begin = Begin {
            host: Arc::clone(&protocol.host),
            invocation,
            abilities: self.meta.abilities(),
            result,
            fault,
        };
        tasks::begin(&protocol.shared.tasks, begin).await.map(Answered::Task)
    }

    /// The result that asks.
    fn input_required(&self, protocol: &Protocol, pending: &Pending) -> Json {
        let requests = pending.open_questions();
        let result = InputRequired {
            result_type: "input_required",
            input_requests: requests
                .map(|question| (question.key.as_str(), AskedRequest::modern(question)))
                .collect(),
            request_state: pending.seal(&protocol.shared.sealer, &self.subject),
            meta: &protocol.server.object,
        };
        to_raw_value(&result).expect("a result has a JSON text")
    }

    /// Whether it runs in the background.
    fn is_task(&self, is_resumed: bool) -> Result<bool, ProtocolError> {
        match self.function.task() {
            TaskSupport::Forbidden => Ok(false),
            TaskSupport::Optional => Ok(self.meta.abilities().tasks),
            TaskSupport::Required if self.meta.abilities().tasks => Ok(true),
            TaskSupport::Required => Err(Abilities::needs_tasks()),
            TaskSupport::AfterInput => Ok(is_resumed && self.meta.abilities().tasks),
        }
    }

    fn wanted(&self) -> Result<Wanted<'_>, ProtocolError> {
        Ok(Wanted { progress_token: self.meta.progress_token, log_level: self.meta.log_level()? })
    }
}

/// Who asks for a function.
pub(super) fn caller(context: &Context<'_>, meta: &RequestMeta<'_>, function: &Function) -> Caller {
    Caller {
        client: meta.client(),
        capabilities: Some(meta.capabilities.to_owned()),
        principal: context.principal.map(str::to_owned),
        headers: listed_headers(context, function),
        meta: Some(meta.object.to_owned()),
        ..Caller::unknown(context.transport)
    }
}

/// Whether a request may bring answers: most do not, and are not read once more for it.
fn brings_answers(params: &str) -> bool {
    params.contains("requestState") || params.contains("inputResponses")
}

fn result(outcome: &Outcome) -> Json {
    to_raw_value(&CallResult::of_task(outcome)).expect("a result has a JSON text")
}

fn fault(message: String) -> Json {
    to_raw_value(&CallResult::of_fault(&message)).expect("a result has a JSON text")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InputRequired<'a> {
    result_type: &'static str,
    input_requests: BTreeMap<&'a str, AskedRequest<'a>>,
    request_state: String,
    #[serde(rename = "_meta")]
    meta: &'a RawValue,
}
