//! The protocol of the version that serves now, which a reload swaps as a whole.

use std::sync::Arc;

use arc_swap::ArcSwap;
use bytes::Bytes;
use tokio::sync::watch;

use super::{Context, Message, Protocol, Reply};

/// Answers every message with the version that serves when it comes: what a reload changes reaches the next one,
/// and what is being answered ends as it began.
#[derive(Debug)]
pub struct Live {
    current: ArcSwap<Protocol>,
    // The number of lists so far. Without it, none will ever follow the first.
    lists: Option<watch::Sender<u64>>,
}

impl Live {
    /// For a host that stays as it is.
    pub fn fixed(protocol: Protocol) -> Self {
        Self { current: ArcSwap::from_pointee(protocol), lists: None }
    }

    /// For a host that is reloaded.
    pub fn changing(protocol: Protocol) -> Self {
        Self { current: ArcSwap::from_pointee(protocol), lists: Some(watch::Sender::new(0)) }
    }

    /// Answers one message. Dropping the future cancels what the message asked for.
    pub async fn handle(&self, context: &Context<'_>, message: Message<'_>) -> Reply {
        // Once: the tools that a call finds are those of the list that goes with them.
        let protocol = self.current.load_full();
        protocol.handle(context, message).await
    }

    /// Serves the next version, and tells who listens if it has other tools.
    ///
    /// Frees the version before it, unless a message is still being answered with it: keep it off the threads that
    /// serve.
    pub fn swap(&self, next: Protocol) {
        let before = self.current.swap(Arc::new(next));
        let is_same = before.tools.same_list(&self.current.load().tools);
        if let Some(lists) = self.lists.as_ref().filter(|_| !is_same) {
            lists.send_modify(|n_lists| *n_lists += 1);
        }
    }

    /// Marked as changed whenever the list of tools does. None: it never will.
    pub fn list_changes(&self) -> Option<watch::Receiver<u64>> {
        self.lists.as_ref().map(watch::Sender::subscribe)
    }
}

/// What a client is told when the list of tools is another one (2025-11-25, server/tools, List Changed Notification).
pub fn list_changed() -> Bytes {
    Bytes::from_static(br#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
}
