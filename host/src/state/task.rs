//! Invocations that run in the background, as clients see them.

use std::{
    fmt::Debug,
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use thiserror::Error;

use crate::function::{Answer, Json, Question};

/// Names a task; unguessable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(pub String);

/// An invocation that runs in the background.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// Who began it: nobody else gets to see it.
    pub principal: Option<String>,
    /// Where it stands.
    pub status: TaskStatus,
    /// The same in words, for people.
    pub message: Option<String>,
    /// When it began.
    pub created: SystemTime,
    /// When it changed last.
    pub updated: SystemTime,
    /// How long it is kept, from its beginning.
    pub lifetime: Duration,
}

/// Where a task stands.
#[derive(Clone, Debug)]
pub enum TaskStatus {
    /// It runs.
    Working,
    /// It waits for answers.
    InputRequired(Vec<TaskQuestion>),
    /// It is over.
    Ended(TaskEnd),
}

/// A question of a task, and its answer once there is one.
#[derive(Clone, Debug)]
pub struct TaskQuestion {
    /// What the client calls it: unique in the life of the task, where a function may ask by one key again.
    pub key: String,
    /// What is asked.
    pub question: Question,
    /// What came back.
    pub answer: Option<Answer>,
}

/// How a task ended.
#[derive(Clone, Debug)]
pub enum TaskEnd {
    /// With a result, which may be the error of a tool.
    Completed(Json),
    /// With an error of the protocol.
    Failed(Json),
    /// The client cancelled it.
    Cancelled,
}

/// As many tasks are kept as may be.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("no more tasks are kept")]
pub struct TooManyTasks;

/// Keeps tasks until their time is over.
#[async_trait]
pub trait TaskStore: Debug + Send + Sync {
    /// Keeps a new task. Once this is done, it can be found.
    async fn create(&self, task: Task) -> Result<(), TooManyTasks>;

    /// Finds a task.
    async fn get(&self, id: &TaskId) -> Option<Task>;

    /// Changes a task that has not ended, in one step. Gives what it is afterwards: as it was, if `change` says no or
    /// if it had ended. None: there is none.
    ///
    /// `change` may be called several times, each time with what the task is by then.
    async fn change(
        &self,
        id: &TaskId,
        change: &mut (dyn for<'a> FnMut(&'a mut Task) -> bool + Send),
    ) -> Option<Task>;
}
