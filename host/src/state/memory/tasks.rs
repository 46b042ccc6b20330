//! Tasks in memory: bounded in number and size; those whose time is over make room.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use async_trait::async_trait;

use crate::state::{Task, TaskEnd, TaskId, TaskStatus, TaskStore, TooManyTasks};

/// How many tasks are kept, and how many bytes of results.
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

/// Bytes of what a task came to.
fn size(task: &Task) -> usize {
    match &task.status {
        TaskStatus::Ended(TaskEnd::Completed(json) | TaskEnd::Failed(json)) => json.get().len(),
        _ => 0,
    }
}

/// Whether its time is over.
fn is_over(task: &Task) -> bool {
    let is_ended = matches!(task.status, TaskStatus::Ended(_));
    is_ended && task.created.elapsed().is_ok_and(|age| age > task.lifetime)
}
