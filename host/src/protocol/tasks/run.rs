//! Runs a call in the background, through all its questions, to its end.

use std::{
    collections::HashSet,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use tokio::{
    sync::watch::{self, error::RecvError},
    task::JoinSet,
    time::{MissedTickBehavior, interval, timeout},
};
use tracing::{debug, error};

use super::{KEPT, LIFETIME, POLL_INTERVAL};
use crate::{
    function::{
        Answer, Event, InputRequest, Invocation, InvocationId, Json, Listener, LogLevel, Outcome,
        Resumption,
    },
    host::Host,
    protocol::{
        asking::MAX_ROUNDS,
        changes::{Change, Changes},
        client::Abilities,
        error::ProtocolError,
        unwinding::{Panic, unwinding},
    },
    state::{Address, Mailbox, Task, TaskEnd, TaskId, TaskQuestion, TaskStatus, TaskStore},
};

/// Runs tasks and keeps what they come to. Dropping it ends those that run.
#[derive(Debug)]
pub(in crate::protocol) struct Runner {
    store: Arc<dyn TaskStore>,
    mailbox: Arc<dyn Mailbox>,
    changes: Arc<Changes>,
    running: Mutex<JoinSet<()>>,
}

/// A call that is to become a task.
pub(in crate::protocol) struct Begin {
    pub(in crate::protocol) host: Arc<Host>,
    pub(in crate::protocol) invocation: Invocation,
    /// What the client can be asked for.
    pub(in crate::protocol) abilities: Abilities,
    /// What an outcome is as the result of the call.
    pub(in crate::protocol) result: fn(&Outcome) -> Json,
    /// What a fault of the arguments and the like is as the result of the call.
    pub(in crate::protocol) fault: fn(String) -> Json,
}

/// How long it takes at the most until a task is looked at whose waking found no room.
const LOOK: Duration = Duration::from_secs(5);

impl Runner {
    pub(in crate::protocol) fn new(
        store: Arc<dyn TaskStore>,
        mailbox: Arc<dyn Mailbox>,
        changes: Arc<Changes>,
    ) -> Self {
        Self { store, mailbox, changes, running: Mutex::default() }
    }

    pub(in crate::protocol) fn store(&self) -> &Arc<dyn TaskStore> {
        &self.store
    }

    /// Changes a task and lets everyone know.
    pub(super) async fn change(
        &self,
        id: &TaskId,
        change: &mut (dyn for<'a> FnMut(&'a mut Task) -> bool + Send),
    ) -> Option<Task> {
        let mut is_changed = false;
        let mut noted = |task: &mut Task| {
            is_changed = change(task);
            is_changed
        };
        let task = self.store.change(id, &mut noted).await?;
        if is_changed {
            self.changes.send(Change::Task(id.clone()));
        }
        Some(task)
    }

    /// Lets the one who runs a task look at it.
    pub(super) async fn wake(&self, id: &TaskId) {
        // Without room it is found out a little later; the task itself has been changed.
        if let Err(error) = self.mailbox.post(&address(id), Bytes::new()).await {
            debug!(%error, "a task is not woken");
        }
    }
}

fn address(id: &TaskId) -> Address {
    Address::new("task", &[&id.0])
}

/// Begins a task. Once this is done, it can be found.
pub(in crate::protocol) async fn begin(
    runner: &Arc<Runner>,
    begin: Begin,
) -> Result<Task, ProtocolError> {
    let now = SystemTime::now();
    let task = Task {
        // 128 random bits, as those of an invocation.
        id: TaskId(InvocationId::new().as_str().to_owned()),
        principal: begin.invocation.caller.principal.clone(),
        status: TaskStatus::Working,
        message: None,
        created: now,
        updated: now,
        lifetime: LIFETIME,
    };
    runner.store.create(task.clone()).await.map_err(|_| ProtocolError::Busy)?;
    let (running, id) = (Arc::clone(runner), task.id.clone());
    let mut tasks = runner.running.lock().unwrap_or_else(PoisonError::into_inner);
    while tasks.try_join_next().is_some() {}
    tasks.spawn(async move {
        if let Err(Panic) = unwinding(pin!(running.run(&id, begin))).await {
            error!("panicked while running a task");
            running.end(&id, failed(&ProtocolError::Internal)).await;
        }
        running.mailbox.discard(&address(&id), u64::MAX).await;
    });
    drop(tasks);
    Ok(task)
}

impl Runner {
    async fn run(&self, id: &TaskId, begin: Begin) {
        let (reporter, mut reports) = watch::channel(None);
        let reporter = Reporter { reports: reporter, changes: Arc::clone(&self.changes) };
        let mut answer = pin!(self.answer(id, begin, Arc::new(reporter)));
        let mut cancelled = pin!(self.cancelled(id));
        // No client looks more often, and all who listen would pay for one that reports without a pause.
        let mut pace = interval(POLL_INTERVAL);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let end = loop {
            tokio::select! {
                end = &mut answer => break end,
                () = &mut cancelled => break TaskEnd::Cancelled,
                Ok(()) = async { reports.changed().await?; pace.tick().await; Ok::<_, RecvError>(()) } => {
                    let message = reports.borrow_and_update().clone();
                    let say = |task: &mut Task| {
                        task.message.clone_from(&message);
                        true
                    };
                    self.change(id, &mut { say }).await;
                }
            }
        };
        self.end(id, end).await;
    }

    /// Ends a task; one that has ended stays as it is.
    pub(super) async fn end(&self, id: &TaskId, end: TaskEnd) {
        let ended = |task: &mut Task| {
            let age = task.created.elapsed().unwrap_or_default();
            task.lifetime = task.lifetime.max(age + KEPT);
            task.status = TaskStatus::Ended(end.clone());
            task.message = None;
            true
        };
        self.change(id, &mut { ended }).await;
    }

    /// The call, from its first run to its last.
    async fn answer(&self, id: &TaskId, begin: Begin, reporter: Arc<Reporter>) -> TaskEnd {
        let Begin { host, mut invocation, abilities, result, fault } = begin;
        invocation.listener = Some(reporter);
        let mut keys = HashSet::new();
        for _ in 0..MAX_ROUNDS {
            let run = Arc::new(invocation);
            let outcome = Box::pin(host.invoke(&run)).await;
            let request = match outcome {
                Ok(Outcome::InputRequired(request)) => request,
                Ok(outcome) => return TaskEnd::Completed(result(&outcome)),
                Err(error) if error.is_fault_of_guest() => {
                    return failed(&ProtocolError::Function(error.public_message(&run)));
                }
                Err(error) => return TaskEnd::Completed(fault(error.public_message(&run))),
            };
            if let Err(error) = abilities.allow(&request.questions) {
                return failed(&error);
            }
            match self.ask(id, request, &mut keys).await {
                Ok(resume) => invocation = run.resumed(resume),
                Err(end) => return end,
            }
        }
        failed(&ProtocolError::Function("the tool asks without end".to_owned()))
    }

    /// Asks, and waits for all answers. An error is what the task ends with.
    async fn ask(
        &self,
        id: &TaskId,
        request: InputRequest,
        keys: &mut HashSet<String>,
    ) -> Result<Resumption, TaskEnd> {
        let questions: Vec<TaskQuestion> = request
            .questions
            .into_iter()
            .map(|question| {
                // Keys are unique in the life of a task (SEP-2663).
                let mut key = question.key.clone();
                let mut n = 1;
                while !keys.insert(key.clone()) {
                    n += 1;
                    key = format!("{}-{n}", question.key);
                }
                TaskQuestion { key, question, answer: None }
            })
            .collect();
        let ask = |task: &mut Task| {
            task.status = TaskStatus::InputRequired(questions.clone());
            true
        };
        let task = self.change(id, &mut { ask }).await.ok_or(TaskEnd::Cancelled)?;
        // A task must not be kept for ever because nobody answers; but who is asked late has time too.
        let age = task.created.elapsed().unwrap_or_default();
        let rest = task.lifetime.saturating_sub(age).max(KEPT);
        match timeout(rest, self.answers(task)).await {
            Ok(Some(answers)) => Ok(Resumption { state: request.state, answers }),
            Ok(None) => Err(TaskEnd::Cancelled),
            Err(_) => {
                let reason = "what the tool asked was not answered in time".to_owned();
                Err(failed(&ProtocolError::Function(reason)))
            }
        }
    }

    /// Waits for the answers to all questions of a task. None: the task is over.
    async fn answers(&self, mut task: Task) -> Option<Vec<Answer>> {
        let id = &task.id.clone();
        let mut n_read = 0;
        loop {
            let TaskStatus::InputRequired(questions) = &task.status else { return None };
            let answers: Vec<_> = questions.iter().filter_map(|it| it.answer.clone()).collect();
            if answers.len() == questions.len() {
                let work = |task: &mut Task| {
                    task.status = TaskStatus::Working;
                    true
                };
                self.change(id, &mut { work }).await?;
                return Some(answers);
            }
            n_read = self.woken(id, n_read).await;
            task = self.store.get(id).await?;
        }
    }

    /// Waits until somebody wants the task to be looked at, or until it is time to look all the same.
    async fn woken(&self, id: &TaskId, n_read: u64) -> u64 {
        match timeout(LOOK, self.mailbox.receive(&address(id), n_read)).await {
            Ok(letter) => letter.number,
            Err(_) => n_read,
        }
    }

    /// Waits until the client cancels a task.
    async fn cancelled(&self, id: &TaskId) {
        let mut n_read = 0;
        loop {
            n_read = self.woken(id, n_read).await;
            let task = self.store.get(id).await;
            if task.is_none_or(|task| matches!(task.status, TaskStatus::Ended(_))) {
                return;
            }
        }
    }
}

/// An error of the protocol, as a task ends with it.
fn failed(error: &ProtocolError) -> TaskEnd {
    TaskEnd::Failed(error.object())
}

/// Hears the function of a task: what it says of its progress is the message of the task.
#[derive(Debug)]
struct Reporter {
    // The last one counts: a function may report faster than anybody reads.
    reports: watch::Sender<Option<String>>,
    changes: Arc<Changes>,
}

impl Listener for Reporter {
    fn tell(&self, event: Event) {
        match event {
            Event::Progress { message: Some(message), .. } => {
                self.reports.send_replace(Some(message));
            }
            event => self.changes.tell(event),
        }
    }

    fn hears(&self, _: LogLevel) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        sync::Arc,
        time::{Duration, SystemTime},
    };

    use super::{LIFETIME, Runner};
    use crate::{
        function::{Ask, InputRequest, Question},
        state::{
            MemoryMailbox, MemoryTasks, Task, TaskEnd, TaskId, TaskQuestion, TaskStatus, TaskStore,
        },
    };

    async fn runner() -> (Runner, TaskId) {
        begun(SystemTime::now()).await
    }

    async fn begun(now: SystemTime) -> (Runner, TaskId) {
        let tasks = Arc::new(MemoryTasks::default());
        let id = TaskId("t".to_owned());
        let task = Task {
            id: id.clone(),
            principal: None,
            status: TaskStatus::Working,
            message: None,
            created: now,
            updated: now,
            lifetime: LIFETIME,
        };
        tasks.create(task).await.unwrap();
        let mailbox = Arc::new(MemoryMailbox::new(Duration::from_mins(1)));
        (Runner::new(tasks, mailbox, Arc::default()), id)
    }

    fn request() -> InputRequest {
        let questions = vec![Question { key: "k".to_owned(), ask: Ask::Roots }];
        InputRequest { questions, state: Vec::new() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_that_nobody_answers_ends_with_its_lifetime() {
        let (runner, id) = runner().await;
        let end = runner.ask(&id, request(), &mut HashSet::new()).await;
        let Err(TaskEnd::Failed(error)) = end else { panic!("it fails: {end:?}") };
        assert!(error.get().contains("what the tool asked was not answered in time"), "{error}");
    }

    #[tokio::test]
    async fn what_took_longer_than_a_lifetime_can_be_read_all_the_same() {
        let (runner, id) = begun(SystemTime::now() - 2 * LIFETIME).await;
        runner.end(&id, TaskEnd::Cancelled).await;
        let task = runner.store().get(&id).await.unwrap();
        assert!(task.lifetime > 2 * LIFETIME, "{task:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn no_two_questions_of_a_task_have_one_key() {
        let (runner, id) = runner().await;
        // `k-2` may be a key of the function itself.
        let mut keys = HashSet::from(["k".to_owned(), "k-2".to_owned()]);
        let asked = async {
            loop {
                let task = runner.store().get(&id).await.unwrap();
                if let TaskStatus::InputRequired(questions) = task.status {
                    let TaskQuestion { key, question, .. } = questions[0].clone();
                    break (key, question.key);
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            end = runner.ask(&id, request(), &mut keys) => panic!("it waits: {end:?}"),
            (shown, own) = asked => assert_eq!((shown.as_str(), own.as_str()), ("k-3", "k")),
        }
    }
}
