//! Streams on which a client hears of changes: `subscriptions/listen` of 2026-07-28, and the stream of a legacy
//! session.

mod filter;
mod session;

pub(super) use self::{
    filter::Filter,
    session::{Follow, MAX_URI, follow},
};

use std::{collections::HashSet, future::pending, sync::Arc};

use bytes::Bytes;
use futures_util::FutureExt;
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::broadcast::{
    Receiver,
    error::{RecvError, TryRecvError},
};

use self::session::{Followed, Turn};
use super::{
    changes::{Change, Changes},
    jsonrpc,
    modern::envelope::COMPLETE,
    tasks,
};
use crate::{
    function::ListKind,
    state::{Mailbox, Task, TaskId, TaskStore},
};

/// A stream of notifications, without end unless the host stops.
#[derive(Debug)]
pub struct Subscription {
    receiver: Receiver<Change>,
    // What happened and is not yet put into words.
    news: News,
    // What is to be said next, last first.
    ready: Vec<Bytes>,
    audience: Audience,
}

#[derive(Debug)]
enum Audience {
    /// Tagged with the id of the request that began it.
    Modern {
        id: Box<RawValue>,
        filter: Filter,
        principal: Option<String>,
        tasks: Arc<dyn TaskStore>,
    },
    /// A legacy session, and the resources that it follows.
    Session { followed: Followed, turn: Option<Turn> },
}

/// What happened since the last look, each thing once.
#[derive(Debug, Default)]
struct News {
    lists: Vec<ListKind>,
    resources: Vec<Arc<str>>,
    tasks: HashSet<TaskId>,
    /// So much happened that some of it was missed.
    missed: bool,
}

impl Subscription {
    /// `subscriptions/listen`. The first message says what of the filter is honored.
    pub(super) fn modern(
        changes: &Changes,
        tasks: Arc<dyn TaskStore>,
        id: &RawValue,
        filter: Filter,
        principal: Option<&str>,
    ) -> Self {
        let receiver = changes.subscribe();
        let params = Acknowledged { notifications: &filter, meta: Tag { id: Some(id) } };
        let ready =
            vec![jsonrpc::notification("notifications/subscriptions/acknowledged", &params)];
        let principal = principal.map(str::to_owned);
        let audience = Audience::Modern { id: id.to_owned(), filter, principal, tasks };
        Self { receiver, news: News::default(), ready, audience }
    }

    /// The one stream that a legacy session has, in a transport that is a stream itself.
    pub(super) fn of_stream(changes: &Changes, mailbox: Arc<dyn Mailbox>, session: &str) -> Self {
        let receiver = changes.subscribe();
        let audience = Audience::Session { followed: Followed::new(mailbox, session), turn: None };
        Self { receiver, news: News::default(), ready: Vec::new(), audience }
    }

    /// One more stream of a legacy session. The one before it ends.
    pub(super) async fn of_session(
        changes: &Changes,
        mailbox: Arc<dyn Mailbox>,
        session: &str,
    ) -> Self {
        let receiver = changes.subscribe();
        // Without room for it both go on, which does less harm than none.
        let turn = Turn::take(Arc::clone(&mailbox), session).await.ok();
        let audience = Audience::Session { followed: Followed::new(mailbox, session), turn };
        Self { receiver, news: News::default(), ready: Vec::new(), audience }
    }

    /// The next message. None: a later stream of the session gets what comes. May be dropped at any time without
    /// losing a message.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(message) = self.ready.pop() {
                return Some(message);
            }
            if self.news.is_empty() {
                let first = match &mut self.audience {
                    Audience::Modern { .. } => self.receiver.recv().await,
                    // What was followed before a change has to be known before the change.
                    Audience::Session { followed, turn } => tokio::select! {
                        biased;
                        () = is_over(turn.as_ref()) => return None,
                        () = followed.read() => continue,
                        change = self.receiver.recv() => change,
                    },
                };
                self.news.add(first);
            }
            loop {
                match self.receiver.try_recv() {
                    Ok(change) => self.news.add(Ok(change)),
                    Err(TryRecvError::Lagged(_)) => self.news.missed = true,
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break,
                }
            }
            let tasks = self.audience.tasks(&self.news).await;
            // What a client was told that it follows, it hears of: its request came before the change.
            if let Audience::Session { followed, .. } = &mut self.audience {
                while followed.read().now_or_never().is_some() {}
            }
            self.ready = self.audience.messages(&std::mem::take(&mut self.news), &tasks);
            self.ready.reverse();
        }
    }

    /// What is said when the host ends it.
    pub fn end(&self) -> Option<Bytes> {
        match &self.audience {
            Audience::Modern { id, .. } => {
                let result = Ended { result_type: COMPLETE, meta: Tag { id: Some(id) } };
                Some(jsonrpc::result(id, &result))
            }
            Audience::Session { .. } => None,
        }
    }
}

/// Waits until it is another stream's turn; for ever, where there is only one.
async fn is_over(turn: Option<&Turn>) {
    match turn {
        Some(turn) => turn.is_over().await,
        None => pending().await,
    }
}

impl News {
    fn is_empty(&self) -> bool {
        !self.missed && self.lists.is_empty() && self.resources.is_empty() && self.tasks.is_empty()
    }

    fn add(&mut self, change: Result<Change, RecvError>) {
        match change {
            Ok(Change::List(kind)) if !self.lists.contains(&kind) => self.lists.push(kind),
            Ok(Change::Resource(uri)) if !self.resources.contains(&uri) => self.resources.push(uri),
            Ok(Change::Task(id)) => _ = self.tasks.insert(id),
            Ok(Change::List(_) | Change::Resource(_)) => {}
            Err(_) => self.missed = true,
        }
    }
}

impl Audience {
    /// The tasks that are followed and changed, as they stand now: two changes may arrive in the other order.
    async fn tasks(&self, news: &News) -> Vec<Task> {
        let Self::Modern { filter, tasks, principal, .. } = self else { return Vec::new() };
        let ids = filter.tasks().map(|id| TaskId(id.to_owned()));
        let mut found = Vec::new();
        for id in ids.filter(|id| news.missed || news.tasks.contains(id)) {
            let task = tasks.get(&id).await;
            found.extend(task.filter(|task| task.principal == *principal));
        }
        found
    }

    fn messages(&self, news: &News, tasks: &[Task]) -> Vec<Bytes> {
        let mut messages = Vec::new();
        for kind in [ListKind::Tools, ListKind::Resources, ListKind::Prompts] {
            if self.wants_list(kind) && (news.missed || news.lists.contains(&kind)) {
                messages.push(list_changed(kind, self.tag()));
            }
        }
        // What was missed may have been any of them.
        let updated: Vec<&str> = if news.missed {
            self.resources()
        } else {
            news.resources.iter().map(|uri| &**uri).filter(|uri| self.wants(uri)).collect()
        };
        messages.extend(updated.into_iter().map(|uri| {
            let params = Updated { uri, meta: self.tag() };
            jsonrpc::notification("notifications/resources/updated", &params)
        }));
        messages.extend(tasks.iter().map(|task| {
            let params = TaskChanged { task: tasks::Detailed(task), meta: self.tag() };
            jsonrpc::notification("notifications/tasks", &params)
        }));
        messages
    }

    fn tag(&self) -> Tag<'_> {
        match self {
            Self::Modern { id, .. } => Tag { id: Some(id) },
            Self::Session { .. } => Tag { id: None },
        }
    }

    fn wants_list(&self, kind: ListKind) -> bool {
        match self {
            Self::Modern { filter, .. } => filter.has_list(kind),
            Self::Session { .. } => true,
        }
    }

    fn wants(&self, uri: &str) -> bool {
        match self {
            Self::Modern { filter, .. } => filter.has_resource(uri),
            Self::Session { followed, .. } => followed.has(uri),
        }
    }

    fn resources(&self) -> Vec<&str> {
        match self {
            Self::Modern { filter, .. } => filter.resources().collect(),
            Self::Session { followed, .. } => followed.uris().collect(),
        }
    }
}

/// `_meta` that says which subscription a message belongs to; none outside of one.
#[derive(Clone, Copy, Serialize)]
struct Tag<'a> {
    #[serde(rename = "io.modelcontextprotocol/subscriptionId")]
    id: Option<&'a RawValue>,
}

impl Tag<'_> {
    fn is_none(&self) -> bool {
        self.id.is_none()
    }
}

#[derive(Serialize)]
struct Acknowledged<'a> {
    notifications: &'a Filter,
    #[serde(rename = "_meta")]
    meta: Tag<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ended<'a> {
    result_type: &'static str,
    #[serde(rename = "_meta")]
    meta: Tag<'a>,
}

#[derive(Serialize)]
struct Updated<'a> {
    uri: &'a str,
    #[serde(rename = "_meta", skip_serializing_if = "Tag::is_none")]
    meta: Tag<'a>,
}

#[derive(Serialize)]
struct TaskChanged<'a> {
    #[serde(flatten)]
    task: tasks::Detailed<'a>,
    #[serde(rename = "_meta")]
    meta: Tag<'a>,
}

#[derive(Serialize)]
struct ListChanged<'a> {
    #[serde(rename = "_meta", skip_serializing_if = "Tag::is_none")]
    meta: Tag<'a>,
}

fn list_changed(kind: ListKind, meta: Tag<'_>) -> Bytes {
    let method = match kind {
        ListKind::Tools => "notifications/tools/list_changed",
        ListKind::Resources => "notifications/resources/list_changed",
        ListKind::Prompts => "notifications/prompts/list_changed",
    };
    jsonrpc::notification(method, &ListChanged { meta })
}

#[cfg(test)]
mod tests {
    use std::{
        sync::Arc,
        time::{Duration, SystemTime},
    };

    use futures_util::FutureExt;
    use serde_json::{Value, json, value::RawValue};

    use super::{Filter, Follow, Subscription, follow};
    use crate::{
        function::ListKind,
        protocol::changes::{Change, Changes},
        state::{Mailbox, MemoryMailbox, MemoryTasks, Task, TaskId, TaskStatus, TaskStore},
    };

    const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

    fn modern(changes: &Changes, notifications: &Value) -> Subscription {
        let id: Box<RawValue> = serde_json::from_str("7").unwrap();
        let params = json!({ "notifications": notifications }).to_string();
        let filter = Filter::parse(&params).unwrap();
        Subscription::modern(changes, Arc::<MemoryTasks>::default(), &id, filter, None)
    }

    fn task(id: &str) -> Task {
        let now = SystemTime::now();
        Task {
            id: TaskId(id.to_owned()),
            principal: None,
            status: TaskStatus::Working,
            message: None,
            created: now,
            updated: now,
            lifetime: Duration::from_mins(1),
        }
    }

    async fn next(subscription: &mut Subscription) -> Value {
        serde_json::from_slice(&subscription.next().await.unwrap()).unwrap()
    }

    fn is_silent(subscription: &mut Subscription) -> bool {
        subscription.next().now_or_never().is_none()
    }

    #[tokio::test]
    async fn a_client_hears_what_it_asked_for_and_nothing_else() {
        let changes = Changes::default();
        let wanted = json!({ "toolsListChanged": true, "resourceSubscriptions": ["a:b"] });
        let mut subscription = modern(&changes, &wanted);
        let first = next(&mut subscription).await;
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(first["params"]["notifications"], wanted);
        assert_eq!(first["params"]["_meta"][SUBSCRIPTION_ID], 7);

        for change in [
            Change::List(ListKind::Prompts),
            Change::Resource("a:c".into()),
            Change::List(ListKind::Tools),
            Change::List(ListKind::Tools),
            Change::Resource("a:b".into()),
        ] {
            changes.send(change);
        }
        let tools = next(&mut subscription).await;
        assert_eq!(tools["method"], "notifications/tools/list_changed");
        assert_eq!(tools["params"]["_meta"][SUBSCRIPTION_ID], 7);
        let updated = next(&mut subscription).await;
        assert_eq!(updated["method"], "notifications/resources/updated");
        assert_eq!(updated["params"]["uri"], "a:b");
        assert!(is_silent(&mut subscription));
    }

    #[tokio::test]
    async fn who_missed_some_is_told_that_anything_may_have_changed() {
        let changes = Changes::default();
        let mut subscription = modern(&changes, &json!({ "toolsListChanged": true }));
        next(&mut subscription).await;
        for _ in 0..10_000 {
            changes.send(Change::List(ListKind::Prompts));
        }
        let told = next(&mut subscription).await;
        assert_eq!(told["method"], "notifications/tools/list_changed");
        assert!(is_silent(&mut subscription));
    }

    #[tokio::test]
    async fn who_missed_some_is_told_where_its_tasks_stand() {
        let (changes, tasks) = (Changes::default(), Arc::<MemoryTasks>::default());
        for id in ["a", "b"] {
            tasks.create(task(id)).await.unwrap();
        }
        let params = json!({ "notifications": { "taskIds": ["a", "gone"] } }).to_string();
        let id: Box<RawValue> = serde_json::from_str("7").unwrap();
        let filter = Filter::parse(&params).unwrap();
        let mut subscription =
            Subscription::modern(&changes, Arc::clone(&tasks) as _, &id, filter, None);
        next(&mut subscription).await;
        for _ in 0..10_000 {
            changes.send(Change::Task(TaskId("b".to_owned())));
        }
        let told = next(&mut subscription).await;
        assert_eq!(
            (&told["method"], &told["params"]["taskId"]),
            (&json!("notifications/tasks"), &json!("a"))
        );
        assert!(is_silent(&mut subscription));
    }

    #[tokio::test]
    async fn a_session_hears_of_lists_and_of_the_resources_that_it_follows() {
        let changes = Changes::default();
        let mailbox: Arc<dyn Mailbox> = Arc::new(MemoryMailbox::new(Duration::from_mins(1)));
        follow(&*mailbox, "s", Follow::Begin, "a:b").await.unwrap();
        follow(&*mailbox, "s", Follow::Begin, "a:c").await.unwrap();
        follow(&*mailbox, "s", Follow::End, "a:c").await.unwrap();
        let mut subscription = Subscription::of_session(&changes, mailbox, "s").await;
        assert!(is_silent(&mut subscription));
        changes.send(Change::Resource("a:c".into()));
        changes.send(Change::Resource("a:b".into()));
        let updated = next(&mut subscription).await;
        assert_eq!(updated["params"], json!({ "uri": "a:b" }));
        assert!(is_silent(&mut subscription));
    }

    #[tokio::test]
    async fn a_session_hears_of_what_it_followed_before_the_change_though_both_are_new() {
        let changes = Changes::default();
        let mailbox: Arc<dyn Mailbox> = Arc::new(MemoryMailbox::new(Duration::from_mins(1)));
        let mut subscription = Subscription::of_session(&changes, Arc::clone(&mailbox), "s").await;
        // Whichever is looked at first, of two: often enough to meet both.
        for n in 0..100 {
            let uri = format!("a:{n}");
            follow(&*mailbox, "s", Follow::Begin, &uri).await.unwrap();
            changes.send(Change::Resource(uri.as_str().into()));
            let updated = subscription.next().now_or_never().expect("it is told");
            let updated: Value = serde_json::from_slice(&updated.unwrap()).unwrap();
            assert_eq!(updated["params"]["uri"], uri);
        }
    }

    #[tokio::test]
    async fn a_later_stream_of_a_session_takes_over() {
        let changes = Changes::default();
        let mailbox: Arc<dyn Mailbox> = Arc::new(MemoryMailbox::new(Duration::from_mins(1)));
        let open = || Subscription::of_session(&changes, Arc::clone(&mailbox), "s");
        let (mut first, mut second) = (open().await, open().await);
        changes.send(Change::List(ListKind::Tools));
        assert!(first.next().await.is_none());
        let told = next(&mut second).await;
        assert_eq!(told["method"], "notifications/tools/list_changed");
        let mut third = open().await;
        assert!(second.next().await.is_none());
        assert!(is_silent(&mut third));
    }
}
