//! Questions that a client took along, sealed: what was asked, what was answered, and what the function wants back.

#[cfg(test)]
mod properties;

use std::{collections::BTreeMap, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{MAX_ROUNDS, Subject, Unanswered, read_answer};
use crate::{
    function::{Answer, AnswerValue, Ask, InputRequest, Json, Question, Resumption},
    protocol::raw,
    state::{Opened, Sealer},
};

/// How long a client, and the person at it, may take.
const LIFETIME: Duration = Duration::from_hours(1);

/// Questions that are not all answered.
#[derive(Debug)]
pub(in crate::protocol) struct Pending {
    state: Vec<u8>,
    questions: Vec<Question>,
    answers: Vec<Answer>,
    n_rounds: u32,
}

/// What the answers to questions come to.
#[derive(Debug)]
pub(in crate::protocol) enum Round {
    /// Every question is answered.
    Answered {
        /// What the function is given.
        resume: Resumption,
        /// How often it has asked.
        n_rounds: u32,
    },
    /// Some are still to be answered.
    Asks(Pending),
}

/// Why a request continues nothing. [`Display`](std::fmt::Display) is what the client reads.
#[derive(Debug, thiserror::Error)]
pub(in crate::protocol) enum Broken {
    #[error("`requestState` must be a string")]
    NoText,
    #[error("`requestState` is not what this server gave for this request")]
    Foreign,
    #[error("`requestState` has expired (make the request again without it)")]
    Expired,
    #[error("`inputResponses` must be an object of objects")]
    Responses,
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "requestState")]
    state: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "inputResponses", deserialize_with = "even_null")]
    responses: Option<&'a RawValue>,
}

fn even_null<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl Pending {
    /// What a function asked in its `n_rounds`th round.
    pub(in crate::protocol) fn new(request: InputRequest, n_rounds: u32) -> Self {
        let InputRequest { questions, state } = request;
        Self { state, questions, answers: Vec::new(), n_rounds }
    }

    /// The questions that are still to be answered.
    pub(in crate::protocol) fn open_questions(&self) -> impl Iterator<Item = &Question> {
        self.questions
            .iter()
            .filter(|question| !self.answers.iter().any(|answer| answer.key == question.key))
    }

    /// What the client takes along.
    pub(in crate::protocol) fn seal(&self, sealer: &Sealer, subject: &Subject<'_>) -> String {
        let content = serde_json::to_vec(&Wire::from(self)).expect("questions have a JSON text");
        sealer.seal(&content, &subject.digest(), LIFETIME)
    }

    /// What a client brings back for questions that it took along. None: it brings nothing along, and asks anew.
    pub(in crate::protocol) async fn round(
        params: &str,
        sealer: &Sealer,
        subject: &Subject<'_>,
    ) -> Result<Option<Round>, Broken> {
        let Some(Params { state, responses }) = raw::object(params) else {
            return Err(Broken::Responses);
        };
        let Some(state) = state else {
            // Before the function runs: what has not the form of answers can answer nothing.
            read_responses(responses)?;
            return Ok(None);
        };
        let state = raw::string(state).ok_or(Broken::NoText)?;
        let content = match sealer.open(&state, &subject.digest()) {
            Opened::Content(content) => content,
            Opened::Expired => return Err(Broken::Expired),
            Opened::Foreign => return Err(Broken::Foreign),
        };
        let wire: Wire<'_> = serde_json::from_slice(&content).map_err(|_| Broken::Foreign)?;
        let pending = wire.into_pending().ok_or(Broken::Foreign)?;
        if pending.n_rounds >= MAX_ROUNDS {
            return Err(Broken::Expired);
        }
        pending.answered(params).await.map(Some)
    }

    /// Takes the answers that a request brings: also one that took nothing along, but knew what it would be asked.
    pub(in crate::protocol) async fn answered(mut self, params: &str) -> Result<Round, Broken> {
        let Some(Params { responses, .. }) = raw::object(params) else {
            return Err(Broken::Responses);
        };
        self.take(&read_responses(responses)?).await?;
        if self.open_questions().next().is_some() {
            return Ok(Round::Asks(self));
        }
        let Self { state, answers, n_rounds, .. } = self;
        Ok(Round::Answered { resume: Resumption { state, answers }, n_rounds })
    }

    /// Keys that were not asked for are ignored (2026-07-28, basic/patterns/mrtr).
    async fn take(&mut self, responses: &BTreeMap<String, &RawValue>) -> Result<(), Unanswered> {
        let mut answers = Vec::new();
        for question in self.open_questions() {
            if let Some(response) = responses.get(&question.key) {
                answers.push(read_answer(question, response).await?);
            }
        }
        self.answers.extend(answers);
        Ok(())
    }
}

/// Reads `inputResponses`, whose members are all objects.
pub(in crate::protocol) fn read_responses(
    responses: Option<&RawValue>,
) -> Result<BTreeMap<String, &RawValue>, Broken> {
    let Some(responses) = responses else { return Ok(BTreeMap::new()) };
    let responses: BTreeMap<String, &RawValue> =
        serde_json::from_str(responses.get()).map_err(|_| Broken::Responses)?;
    if responses.values().all(|response| response.get().starts_with('{')) {
        Ok(responses)
    } else {
        Err(Broken::Responses)
    }
}

/// The form in which it is sealed.
#[derive(Deserialize, Serialize)]
struct Wire<'a> {
    state: String,
    #[serde(borrow)]
    questions: Vec<QuestionWire<'a>>,
    #[serde(borrow)]
    answers: Vec<AnswerWire<'a>>,
    n_rounds: u32,
}

#[derive(Deserialize, Serialize)]
struct QuestionWire<'a> {
    key: String,
    #[serde(borrow)]
    ask: AskWire<'a>,
}

#[derive(Deserialize, Serialize)]
enum AskWire<'a> {
    Form {
        message: String,
        #[serde(borrow)]
        schema: &'a RawValue,
    },
    Url {
        message: String,
        url: String,
    },
    #[serde(borrow)]
    Sampling(&'a RawValue),
    Roots,
}

#[derive(Deserialize, Serialize)]
struct AnswerWire<'a> {
    key: String,
    #[serde(borrow)]
    value: AnswerValueWire<'a>,
}

#[derive(Deserialize, Serialize)]
enum AnswerValueWire<'a> {
    #[serde(borrow)]
    Accepted(&'a RawValue),
    Declined,
    Cancelled,
}

impl<'a> From<&'a Pending> for Wire<'a> {
    fn from(pending: &'a Pending) -> Self {
        let question = |question: &'a Question| QuestionWire {
            key: question.key.clone(),
            ask: match &question.ask {
                Ask::Form { message, schema } => AskWire::Form { message: message.clone(), schema },
                Ask::Url { message, url } => {
                    AskWire::Url { message: message.clone(), url: url.clone() }
                }
                Ask::Sampling(params) => AskWire::Sampling(params),
                Ask::Roots => AskWire::Roots,
            },
        };
        let answer = |answer: &'a Answer| AnswerWire {
            key: answer.key.clone(),
            value: match &answer.value {
                AnswerValue::Accepted(json) => AnswerValueWire::Accepted(json),
                AnswerValue::Declined => AnswerValueWire::Declined,
                AnswerValue::Cancelled => AnswerValueWire::Cancelled,
            },
        };
        Self {
            state: STANDARD.encode(&pending.state),
            questions: pending.questions.iter().map(question).collect(),
            answers: pending.answers.iter().map(answer).collect(),
            n_rounds: pending.n_rounds,
        }
    }
}

impl Wire<'_> {
    fn into_pending(self) -> Option<Pending> {
        let owned = |json: &RawValue| -> Json { json.to_owned() };
        let question = |wire: QuestionWire<'_>| Question {
            key: wire.key,
            ask: match wire.ask {
                AskWire::Form { message, schema } => Ask::Form { message, schema: owned(schema) },
                AskWire::Url { message, url } => Ask::Url { message, url },
                AskWire::Sampling(params) => Ask::Sampling(owned(params)),
                AskWire::Roots => Ask::Roots,
            },
        };
        let answer = |wire: AnswerWire<'_>| Answer {
            key: wire.key,
            value: match wire.value {
                AnswerValueWire::Accepted(json) => AnswerValue::Accepted(owned(json)),
                AnswerValueWire::Declined => AnswerValue::Declined,
                AnswerValueWire::Cancelled => AnswerValue::Cancelled,
            },
        };
        Some(Pending {
            state: STANDARD.decode(self.state).ok()?,
            questions: self.questions.into_iter().map(question).collect(),
            answers: self.answers.into_iter().map(answer).collect(),
            n_rounds: self.n_rounds,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{Broken, Pending, Round};
    use crate::{
        function::{Ask, InputRequest, Question},
        protocol::asking::Subject,
        state::Sealer,
    };

    pub(super) fn raw(text: &str) -> Box<RawValue> {
        serde_json::from_str(text).unwrap()
    }

    pub(super) fn pending() -> Pending {
        let question = |key: &str, ask| Question { key: key.to_owned(), ask };
        let form = Ask::Form { message: "Who?".to_owned(), schema: raw(r#"{"type":"object"}"#) };
        let questions = vec![question("who", form), question("where", Ask::Roots)];
        Pending::new(InputRequest { questions, state: b"state".to_vec() }, 1)
    }

    async fn round(params: &str, sealer: &Sealer, name: &str) -> Result<Option<Round>, Broken> {
        let arguments = raw("{}");
        let subject =
            Subject { method: "tools/call", name, arguments: &arguments, principal: None };
        Pending::round(params, sealer, &subject).await
    }

    fn sealed(sealer: &Sealer) -> String {
        let arguments = raw("{}");
        let subject =
            Subject { method: "tools/call", name: "a", arguments: &arguments, principal: None };
        pending().seal(sealer, &subject)
    }

    #[tokio::test]
    async fn answers_are_gathered_over_several_rounds() {
        let sealer = Sealer::random();
        let state = sealed(&sealer);
        let first = format!(
            r#"{{"requestState":"{state}","inputResponses":{{"who":{{"action":"decline"}},"stray":{{}}}}}}"#
        );
        let Ok(Some(Round::Asks(pending))) = round(&first, &sealer, "a").await else {
            panic!("asks")
        };
        assert_eq!(
            pending.open_questions().map(|it| it.key.as_str()).collect::<Vec<_>>(),
            ["where"]
        );

        let arguments = raw("{}");
        let subject =
            Subject { method: "tools/call", name: "a", arguments: &arguments, principal: None };
        let state = pending.seal(&sealer, &subject);
        let second =
            format!(r#"{{"requestState":"{state}","inputResponses":{{"where":{{"roots":[]}}}}}}"#);
        let Ok(Some(Round::Answered { resume, n_rounds: 1 })) = round(&second, &sealer, "a").await
        else {
            panic!("every question is answered")
        };
        assert_eq!(resume.state, b"state");
        let keys: Vec<&str> = resume.answers.iter().map(|answer| answer.key.as_str()).collect();
        assert_eq!(keys, ["who", "where"]);
    }

    #[tokio::test]
    async fn a_state_is_for_one_request_and_one_key() {
        let sealer = Sealer::random();
        let params = format!(r#"{{"requestState":"{}"}}"#, sealed(&sealer));
        assert!(matches!(round(&params, &sealer, "a").await, Ok(Some(Round::Asks(_)))));
        assert!(matches!(round(&params, &sealer, "b").await, Err(Broken::Foreign)));
        assert!(matches!(round(&params, &Sealer::random(), "a").await, Err(Broken::Foreign)));
    }

    #[tokio::test]
    async fn what_is_no_answer_is_refused() {
        for responses in ["null", "[]", r#"{"who":12345}"#, r#"{"who":null}"#, "7"] {
            let params = format!(r#"{{"inputResponses":{responses}}}"#);
            let answered = pending().answered(&params).await;
            assert!(matches!(answered, Err(Broken::Responses)), "{responses}");
        }
        let sealer = Sealer::random();
        let first = round(r#"{"inputResponses":[]}"#, &sealer, "a").await;
        assert!(matches!(first, Err(Broken::Responses)));
        assert!(matches!(round(r#"{"inputResponses":{}}"#, &sealer, "a").await, Ok(None)));
        assert!(matches!(round(r#"{"requestState":7}"#, &sealer, "a").await, Err(Broken::NoText)));
    }

    #[tokio::test]
    async fn a_request_may_bring_answers_before_it_was_asked() {
        let sealer = Sealer::random();
        let both = r#"{"inputResponses":{"who":{"action":"cancel"},"where":{"roots":[]},"x":{}}}"#;
        assert!(matches!(round(both, &sealer, "a").await, Ok(None)));
        assert!(matches!(pending().answered(both).await, Ok(Round::Answered { .. })));
        let one = r#"{"inputResponses":{"who":{"action":"cancel"}}}"#;
        assert!(matches!(pending().answered(one).await, Ok(Round::Asks(_))));
        assert!(matches!(pending().answered("{}").await, Ok(Round::Asks(_))));
    }
}
