//! Tasks in memory: bounded in number and size; those whose time is over make room.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use async_trait::async_trait;

use crate::{
    function::{AnswerValue, Ask},
    state::{Task, TaskEnd, TaskId, TaskQuestion, TaskStatus, TaskStore, TooManyTasks},
};

/// How many tasks are kept, and how many bytes of questions, answers and results.
const MAX_TASKS: usize = 10_000;
const MAX_BYTES: usize = 256 << 20;

/// How often those are looked for whose time is over.
const SWEEP_EVERY: Duration = Duration::from_secs(10);

/// Tasks in the memory of this process.
#[derive(Debug, Default)]
pub struct MemoryTasks {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    tasks: HashMap<TaskId, Task>,
    n_bytes: usize,
    swept: Option<Instant>,
}

impl MemoryTasks {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn sweep(&mut self) {
        let is_due = self.swept.is_none_or(|swept| swept.elapsed() >= SWEEP_EVERY);
        if !is_due {
            return;
        }
        self.swept = Some(Instant::now());
        self.tasks.retain(|_, task| !is_over(task));
        self.n_bytes = self.tasks.values().map(size).sum();
    }
}

#[async_trait]
impl TaskStore for MemoryTasks {
    async fn create(&self, task: Task) -> Result<(), TooManyTasks> {
        let mut kept = self.lock();
        kept.sweep();
        // A result that its client was told to be there must stay there: the new one has to wait.
        if kept.tasks.len() >= MAX_TASKS || kept.n_bytes >= MAX_BYTES {
            return Err(TooManyTasks);
        }
        kept.n_bytes += size(&task);
        kept.tasks.insert(task.id.clone(), task);
        Ok(())
    }

    async fn get(&self, id: &TaskId) -> Option<Task> {
        self.lock().tasks.get(id).filter(|task| !is_over(task)).cloned()
    }

    async fn change(
        &self,
        id: &TaskId,
        change: &mut (dyn for<'a> FnMut(&'a mut Task) -> bool + Send),
    ) -> Option<Task> {
        let mut kept = self.lock();
        let task = kept.tasks.get_mut(id).filter(|task| !is_over(task))?;
        if matches!(task.status, TaskStatus::Ended(_)) {
            return Some(task.clone());
        }
        let mut changed = task.clone();
        if !change(&mut changed) {
            return Some(task.clone());
        }
        changed.updated = SystemTime::now();
        let (before, after) = (size(task), size(&changed));
        *task = changed.clone();
        kept.n_bytes = kept.n_bytes + after - before;
        Some(changed)
    }
}

/// Bytes of what a task came to, or of what it asks.
fn size(task: &Task) -> usize {
    match &task.status {
        TaskStatus::Ended(TaskEnd::Completed(json) | TaskEnd::Failed(json)) => json.get().len(),
        TaskStatus::InputRequired(questions) => questions.iter().map(size_of_question).sum(),
        TaskStatus::Working | TaskStatus::Ended(TaskEnd::Cancelled) => 0,
    }
}

fn size_of_question(question: &TaskQuestion) -> usize {
    let asked = match &question.question.ask {
        Ask::Form { message, schema } => message.len() + schema.get().len(),
        Ask::Url { message, url } => message.len() + url.len(),
        Ask::Sampling(params) => params.get().len(),
        Ask::Roots => 0,
    };
    let answered = match question.answer.as_ref().map(|answer| &answer.value) {
        Some(AnswerValue::Accepted(json)) => json.get().len(),
        Some(AnswerValue::Declined | AnswerValue::Cancelled) | None => 0,
    };
    asked + answered
}

/// Whether its time is over.
fn is_over(task: &Task) -> bool {
    let is_ended = matches!(task.status, TaskStatus::Ended(_));
    is_ended && task.created.elapsed().is_ok_and(|age| age > task.lifetime)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::{MAX_BYTES, MemoryTasks};
    use crate::{
        function::{Ask, Question},
        state::{Task, TaskEnd, TaskId, TaskQuestion, TaskStatus, TaskStore, TooManyTasks},
    };

    fn task(id: usize) -> Task {
        let now = SystemTime::now();
        Task {
            id: TaskId(id.to_string()),
            principal: None,
            status: TaskStatus::Working,
            message: None,
            created: now,
            updated: now,
            lifetime: Duration::from_mins(1),
        }
    }

    fn question(n_bytes: usize) -> TaskStatus {
        let ask = Ask::Url { message: "m".repeat(n_bytes), url: String::new() };
        let question = Question { key: "k".to_owned(), ask };
        TaskStatus::InputRequired(vec![TaskQuestion {
            key: "k".to_owned(),
            question,
            answer: None,
        }])
    }

    #[tokio::test]
    async fn what_tasks_ask_takes_room_until_they_have_ended() {
        let tasks = MemoryTasks::default();
        tasks.create(task(0)).await.unwrap();
        let ask = |task: &mut Task| {
            task.status = question(MAX_BYTES);
            true
        };
        tasks.change(&task(0).id, &mut { ask }).await.unwrap();
        assert_eq!(tasks.create(task(1)).await, Err(TooManyTasks));
        let end = |task: &mut Task| {
            task.status = TaskStatus::Ended(TaskEnd::Cancelled);
            true
        };
        tasks.change(&task(0).id, &mut { end }).await.unwrap();
        assert_eq!(tasks.create(task(1)).await, Ok(()));
    }
}
