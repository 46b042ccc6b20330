//! What changed that clients may have read, told to all who listen.

use std::sync::Arc;

use tokio::sync::broadcast;

use crate::{
    function::{Event, ListKind, Listener, LogLevel},
    state::TaskId,
};

/// How many changes a listener may be behind before it is told that anything may have changed.
const CAPACITY: usize = 256;

/// One change.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// A list has other entries.
    List(ListKind),
    /// The resource of this URI has other contents.
    Resource(Arc<str>),
    /// A task stands elsewhere: where, its store knows.
    Task(TaskId),
}

/// All who listen.
#[derive(Debug)]
pub(super) struct Changes(broadcast::Sender<Change>);

impl Default for Changes {
    fn default() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }
}

impl Changes {
    /// Tells everyone. Nobody may be there.
    pub(super) fn send(&self, change: Change) {
        _ = self.0.send(change);
    }

    /// Listens from now on.
    pub(super) fn subscribe(&self) -> broadcast::Receiver<Change> {
        self.0.subscribe()
    }
}

/// Of an invocation whose client wants to hear nothing, changes are heard all the same.
impl Listener for Changes {
    fn tell(&self, event: Event) {
        match event {
            Event::ListChanged(kind) => self.send(Change::List(kind)),
            Event::ResourceUpdated(uri) => self.send(Change::Resource(uri.into())),
            Event::Progress { .. } | Event::Log { .. } => {}
        }
    }

    fn hears(&self, _: LogLevel) -> bool {
        false
    }
}
