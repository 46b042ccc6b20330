//! Tasks as the protocol writes them.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use super::POLL_INTERVAL;
use crate::{
    protocol::{asking::Request, modern::envelope::COMPLETE},
    state::{Task, TaskEnd, TaskQuestion, TaskStatus},
};

/// `CreateTaskResult`: a task in place of a result.
pub(in crate::protocol) struct Created<'a> {
    pub(in crate::protocol) task: &'a Task,
    /// Who answers.
    pub(in crate::protocol) meta: &'a RawValue,
}

/// `DetailedTask`: a task, and what there is of its questions or its end.
pub(in crate::protocol) struct Detailed<'a>(pub(in crate::protocol) &'a Task);

/// The result of `tasks/get`.
pub(super) struct Got<'a> {
    pub(super) task: &'a Task,
    /// Who answers.
    pub(super) meta: &'a RawValue,
}

impl Serialize for Created<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("resultType", "task")?;
        serialize_task(&mut map, self.task)?;
        map.serialize_entry("_meta", self.meta)?;
        map.end()
    }
}

impl Serialize for Got<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("resultType", COMPLETE)?;
        serialize_details(&mut map, self.task)?;
        map.serialize_entry("_meta", self.meta)?;
        map.end()
    }
}

impl Serialize for Detailed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        serialize_details(&mut map, self.0)?;
        map.end()
    }
}

fn serialize_details<M: SerializeMap>(map: &mut M, task: &Task) -> Result<(), M::Error> {
    serialize_task(map, task)?;
    match &task.status {
        TaskStatus::Working | TaskStatus::Ended(TaskEnd::Cancelled) => Ok(()),
        TaskStatus::InputRequired(questions) => {
            map.serialize_entry("inputRequests", &OpenQuestions(questions))
        }
        TaskStatus::Ended(TaskEnd::Completed(result)) => map.serialize_entry("result", result),
        TaskStatus::Ended(TaskEnd::Failed(error)) => map.serialize_entry("error", error),
    }
}

fn serialize_task<M: SerializeMap>(map: &mut M, task: &Task) -> Result<(), M::Error> {
    map.serialize_entry("taskId", &task.id.0)?;
    map.serialize_entry("status", status(&task.status))?;
    if let Some(message) = &task.message {
        map.serialize_entry("statusMessage", message)?;
    }
    map.serialize_entry("createdAt", &timestamp(task.created))?;
    map.serialize_entry("lastUpdatedAt", &timestamp(task.updated))?;
    map.serialize_entry("ttlMs", &millis(task.lifetime))?;
    map.serialize_entry("pollIntervalMs", &millis(POLL_INTERVAL))
}

fn status(status: &TaskStatus) -> &'static str {
    match status {
        TaskStatus::Working => "working",
        TaskStatus::InputRequired(_) => "input_required",
        TaskStatus::Ended(TaskEnd::Completed(_)) => "completed",
        TaskStatus::Ended(TaskEnd::Failed(_)) => "failed",
        TaskStatus::Ended(TaskEnd::Cancelled) => "cancelled",
    }
}

/// ISO 8601, to the millisecond.
fn timestamp(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The questions that have no answer yet.
struct OpenQuestions<'a>(&'a [TaskQuestion]);

impl Serialize for OpenQuestions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for question in self.0.iter().filter(|question| question.answer.is_none()) {
            map.serialize_entry(&question.key, &Request::modern(&question.question))?;
        }
        map.end()
    }
}
