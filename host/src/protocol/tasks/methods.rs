//! `tasks/get`, `tasks/update` and `tasks/cancel`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Runner, wire::Got};
use crate::{
    protocol::{
        asking::{read_answer, read_responses},
        error::ProtocolError,
        modern::envelope::ServerMeta,
        raw,
    },
    state::{Task, TaskEnd, TaskId, TaskStatus},
};

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "taskId")]
    id: Option<&'a RawValue>,
    #[serde(borrow, rename = "inputResponses")]
    responses: Option<&'a RawValue>,
}

/// The task that the params name, by its id alone.
pub(in crate::protocol) fn id_of(params: &str) -> Result<TaskId, ProtocolError> {
    let params: Option<Params<'_>> = raw::object(params);
    let id = params.and_then(|params| params.id).and_then(raw::string);
    let id = id.ok_or(ProtocolError::Params("`taskId` must be a string"))?;
    Ok(TaskId(id.into_owned()))
}

/// Where a task stands.
pub(in crate::protocol) async fn get(
    runner: &Runner,
    id: &TaskId,
    principal: Option<&str>,
    server: &ServerMeta,
) -> Result<Box<RawValue>, ProtocolError> {
    let task = find(runner, id, principal).await?;
    let result = Got { task: &task, meta: &server.object };
    Ok(serde_json::value::to_raw_value(&result).expect("a task has a JSON text"))
}

/// Takes answers to the questions of a task; those to no open question are ignored.
pub(in crate::protocol) async fn update(
    runner: &Runner,
    id: &TaskId,
    principal: Option<&str>,
    params: &str,
) -> Result<(), ProtocolError> {
    let task = find(runner, id, principal).await?;
    let Some(Params { responses, .. }) = raw::object(params) else {
        return Err(ProtocolError::Params("a member comes twice"));
    };
    let responses = responses.ok_or(ProtocolError::Params("`inputResponses` must be an object"))?;
    let responses =
        read_responses(Some(responses)).map_err(|error| ProtocolError::Input(error.to_string()))?;
    let TaskStatus::InputRequired(questions) = &task.status else { return Ok(()) };
    let mut answers = Vec::new();
    for question in questions.iter().filter(|question| question.answer.is_none()) {
        if let Some(response) = responses.get(&question.key) {
            let answer = read_answer(&question.question, response)
                .await
                .map_err(|error| ProtocolError::Input(error.to_string()))?;
            answers.push((question.key.clone(), answer));
        }
    }
    runner
        .change(id, &mut |task| {
            let TaskStatus::InputRequired(questions) = &mut task.status else { return false };
            for (key, answer) in &answers {
                // The first answer counts.
                if let Some(open) =
                    questions.iter_mut().find(|it| it.key == *key && it.answer.is_none())
                {
                    open.answer = Some(answer.clone());
                }
            }
            true
        })
        .await;
    runner.wake(id).await;
    Ok(())
}

/// Ends a task; one that has ended stays as it is.
pub(in crate::protocol) async fn cancel(
    runner: &Runner,
    id: &TaskId,
    principal: Option<&str>,
) -> Result<(), ProtocolError> {
    find(runner, id, principal).await?;
    runner
        .change(id, &mut |task| {
            task.status = TaskStatus::Ended(TaskEnd::Cancelled);
            true
        })
        .await;
    runner.wake(id).await;
    Ok(())
}

/// A task of somebody else is none.
async fn find(
    runner: &Runner,
    id: &TaskId,
    principal: Option<&str>,
) -> Result<Task, ProtocolError> {
    let task = runner.store().get(id).await;
    task.filter(|task| task.principal.as_deref() == principal)
        .ok_or(ProtocolError::Params("unknown `taskId`"))
}
