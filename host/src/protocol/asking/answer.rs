//! What a client sends back for a question, checked before the function gets to see it.

use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use thiserror::Error;

use crate::{
    function::{Answer, AnswerValue, Ask, Question},
    invoke,
    protocol::raw,
};

/// Why something is no answer to a question.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the answer to `{key}` {reason}")]
pub(in crate::protocol) struct Unanswered {
    key: String,
    reason: String,
}

#[derive(Deserialize)]
struct Elicited<'a> {
    #[serde(borrow)]
    action: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Sampled<'a> {
    #[serde(borrow)]
    role: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Rooted<'a> {
    #[serde(borrow)]
    roots: Option<&'a RawValue>,
}

/// Reads the result that a client gave for a question.
pub(in crate::protocol) async fn read(
    question: &Question,
    result: &RawValue,
) -> Result<Answer, Unanswered> {
    let unanswered =
        |reason: String| Unanswered { key: question.key.clone(), reason: reason.clone() };
    let value = match &question.ask {
        Ask::Form { schema, .. } => {
            let value = elicited(result).map_err(unanswered)?;
            if let AnswerValue::Accepted(content) = &value {
                invoke::check_answer(schema, content)
                    .await
                    .map_err(|reason| unanswered(format!("does not fit its schema: {reason}")))?;
            }
            value
        }
        Ask::Url { .. } => elicited(result).map_err(unanswered)?,
        Ask::Sampling(_) => match raw::object::<Sampled<'_>>(result.get()) {
            Some(Sampled { role: Some(_), content: Some(_), model: Some(_) }) => {
                AnswerValue::Accepted(result.to_owned())
            }
            _ => return Err(unanswered("must have `role`, `content` and `model`".to_owned())),
        },
        Ask::Roots => match raw::object::<Rooted<'_>>(result.get()).and_then(|it| it.roots) {
            Some(roots) if roots.get().starts_with('[') => AnswerValue::Accepted(result.to_owned()),
            _ => return Err(unanswered("must have `roots`, an array".to_owned())),
        },
    };
    Ok(Answer { key: question.key.clone(), value })
}

fn elicited(result: &RawValue) -> Result<AnswerValue, String> {
    let Some(Elicited { action, content }) = raw::object(result.get()) else {
        return Err("must be an object with an `action`".to_owned());
    };
    match action.and_then(raw::string).as_deref() {
        Some("accept") => match content {
            Some(content) if content.get().starts_with('{') => {
                Ok(AnswerValue::Accepted(content.to_owned()))
            }
            // A page has no content.
            None => Ok(AnswerValue::Accepted(
                to_raw_value(&serde_json::json!({})).expect("an empty object has a text"),
            )),
            Some(_) => Err("must have an object as `content`".to_owned()),
        },
        Some("decline") => Ok(AnswerValue::Declined),
        Some("cancel") => Ok(AnswerValue::Cancelled),
        _ => Err("must have the `action` `accept`, `decline` or `cancel`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::function::{AnswerValue, Ask, Question};

    async fn check(ask: Ask, result: &str, expected: Result<&str, &str>) {
        let question = Question { key: "k".to_owned(), ask };
        let result: Box<serde_json::value::RawValue> = serde_json::from_str(result).unwrap();
        let read = read(&question, &result).await;
        let actual = read.map_err(|error| error.to_string()).map(|answer| match answer.value {
            AnswerValue::Accepted(json) => json.get().to_owned(),
            AnswerValue::Declined => "declined".to_owned(),
            AnswerValue::Cancelled => "cancelled".to_owned(),
        });
        assert_eq!(actual.as_deref().map_err(String::as_str), expected, "{result}");
    }

    fn form() -> Ask {
        let schema =
            r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#;
        Ask::Form { message: "Who?".to_owned(), schema: serde_json::from_str(schema).unwrap() }
    }

    #[tokio::test]
    async fn a_form_is_answered_by_what_fits_its_schema() {
        check(form(), r#"{"action":"accept","content":{"name":"A"}}"#, Ok(r#"{"name":"A"}"#)).await;
        check(form(), r#"{"action":"decline"}"#, Ok("declined")).await;
        check(form(), r#"{"action":"cancel","content":{}}"#, Ok("cancelled")).await;
        let wrong = "the answer to `k` must have the `action` `accept`, `decline` or `cancel`";
        check(form(), r#"{"action":"maybe"}"#, Err(wrong)).await;
        check(form(), r#"{"content":{"name":"A"}}"#, Err(wrong)).await;
        let object = "the answer to `k` must be an object with an `action`";
        check(form(), "12345", Err(object)).await;
        check(form(), "null", Err(object)).await;
        let content = "the answer to `k` must have an object as `content`";
        check(form(), r#"{"action":"accept","content":[]}"#, Err(content)).await;
        let schema = "the answer to `k` does not fit its schema: ";
        check(
            form(),
            r#"{"action":"accept","content":{"name":1}}"#,
            Err(&format!("{schema}/name: expected string, got number")),
        )
        .await;
        check(form(), r#"{"action":"accept"}"#, Err(&format!("{schema}/: `name` is missing")))
            .await;
    }

    #[tokio::test]
    async fn results_of_other_questions_are_passed_on_whole() {
        let sampling = || Ask::Sampling(serde_json::from_str("{}").unwrap());
        let result = r#"{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}"#;
        check(sampling(), result, Ok(result)).await;
        let wrong = "the answer to `k` must have `role`, `content` and `model`";
        check(sampling(), r#"{"role":"assistant"}"#, Err(wrong)).await;
        check(Ask::Roots, r#"{"roots":[]}"#, Ok(r#"{"roots":[]}"#)).await;
        check(Ask::Roots, "{}", Err("the answer to `k` must have `roots`, an array")).await;
    }
}
