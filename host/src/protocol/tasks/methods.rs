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
            let mut is_changed = false;
            for (key, answer) in &answers {
                // The first answer counts.
                if let Some(open) =
                    questions.iter_mut().find(|it| it.key == *key && it.answer.is_none())
                {
                    open.answer = Some(answer.clone());
                    is_changed = true;
                }
            }
            is_changed
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
    runner.end(id, TaskEnd::Cancelled).await;
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

#[cfg(test)]
mod tests {
    use std::{
        sync::Arc,
        time::{Duration, SystemTime},
    };

    use super::{Runner, ServerMeta, cancel, get, update};
    use crate::{
        function::{Ask, Question},
        protocol::error::ProtocolError,
        state::{MemoryMailbox, MemoryTasks, Task, TaskId, TaskQuestion, TaskStatus, TaskStore},
    };

    #[tokio::test]
    async fn a_task_of_somebody_else_is_unknown() {
        let (tasks, id, now) =
            (Arc::<MemoryTasks>::default(), TaskId("t".to_owned()), SystemTime::now());
        let question = Question { key: "k".to_owned(), ask: Ask::Roots };
        let question = TaskQuestion { key: "k".to_owned(), question, answer: None };
        let task = Task {
            id: id.clone(),
            principal: Some("a".to_owned()),
            status: TaskStatus::InputRequired(vec![question]),
            message: None,
            created: now,
            updated: now,
            lifetime: Duration::from_mins(1),
        };
        tasks.create(task).await.unwrap();
        let mailbox = Arc::new(MemoryMailbox::new(Duration::from_mins(1)));
        let runner = Runner::new(tasks, mailbox, Arc::default());
        let server = ServerMeta::new("s", "1");
        let answers = r#"{"inputResponses":{"k":{"roots":[]}}}"#;
        for principal in [None, Some("b")] {
            for refused in [
                get(&runner, &id, principal, &server).await.map(|_| ()),
                update(&runner, &id, principal, answers).await,
                cancel(&runner, &id, principal).await,
            ] {
                assert!(matches!(refused, Err(ProtocolError::Params("unknown `taskId`"))));
            }
        }
        let task = runner.store().get(&id).await.unwrap();
        let TaskStatus::InputRequired(questions) = task.status else { panic!("it still asks") };
        assert!(questions[0].answer.is_none());
        update(&runner, &id, Some("a"), answers).await.unwrap();
        assert!(get(&runner, &id, Some("a"), &server).await.is_ok());
    }
}
