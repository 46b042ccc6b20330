//! The protocol of the version that serves now, which a reload swaps as a whole.

use std::sync::Arc;

use arc_swap::ArcSwap;

use super::{
    Context, Message, Protocol, Reply, Shared,
    changes::Change,
    era,
    legacy::{
        Peer,
        inbox::Inbox,
        stream::{EventLog, Reader},
    },
    subscriptions::Subscription,
};
use crate::function::ListKind;

/// Answers every message with the version that serves when it comes: what a reload changes reaches the next one,
/// and what is being answered ends as it began.
#[derive(Debug)]
pub struct Live {
    current: ArcSwap<Protocol>,
    shared: Shared,
}

impl Live {
    /// Begins with this version.
    pub fn new(protocol: Protocol) -> Self {
        let shared = protocol.shared.clone();
        Self { current: ArcSwap::from_pointee(protocol), shared }
    }

    /// What outlives the version that serves.
    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Answers one message. Dropping the future cancels what the message asked for.
    pub async fn handle(&self, context: &Context<'_>, message: Message<'_>) -> Reply {
        // Once: the tools that a call finds are those of the list that goes with them.
        let protocol = self.current.load_full();
        protocol.handle(context, message).await
    }

    /// Serves the next version, and tells who listens which lists are other ones.
    ///
    /// Frees the version before it, unless a message is still being answered with it: keep it off the threads that
    /// serve.
    pub fn swap(&self, next: Protocol) {
        let before = self.current.swap(Arc::new(next));
        for kind in self.current.load().lists_that_differ(&before) {
            self.shared.changes.send(Change::List(kind));
        }
    }

    /// Whether the headers of a request name a revision that is served, or none.
    pub fn serves_revision(context: &Context<'_>) -> bool {
        era::of_header(context).is_ok()
    }

    /// Whether a request comes from a legacy session.
    pub fn has_session(&self, context: &Context<'_>) -> bool {
        Peer::of_request(context, &self.shared.sealer).is_some()
    }

    /// The stream of a legacy session, on which its client hears of changes. None: the client has no session.
    pub async fn listen(&self, context: &Context<'_>) -> Option<Subscription> {
        let (changes, mailbox) = (&self.shared.changes, Arc::clone(&self.shared.mailbox));
        if let Some(session) = context.session {
            return Some(Subscription::of_stream(changes, mailbox, session.id()));
        }
        let peer = Peer::of_request(context, &self.shared.sealer)?;
        Some(Subscription::of_session(changes, mailbox, &peer.id).await)
    }

    /// The messages of a stream that begins, in the transport of 2024-11-05.
    pub fn open_inbox(&self) -> Inbox {
        Inbox::begin(Arc::clone(&self.shared.mailbox), &self.shared.sealer)
    }

    /// The messages of the stream with this id. None: there is no such stream.
    pub fn inbox(&self, id: &str) -> Option<Inbox> {
        Inbox::find(Arc::clone(&self.shared.mailbox), &self.shared.sealer, id)
    }

    /// Where the events of a call are kept, if its client can come back for them.
    pub async fn event_log(&self, context: &Context<'_>) -> Option<EventLog> {
        let peer = Peer::of_request(context, &self.shared.sealer)?;
        EventLog::begin(Arc::clone(&self.shared.mailbox), &peer).await.ok()
    }

    /// Reads on after an event of a call. None: there is nothing that could be read.
    pub async fn resume(&self, context: &Context<'_>, event_id: &str) -> Option<Reader> {
        let peer = Peer::of_request(context, &self.shared.sealer)?;
        Reader::after(Arc::clone(&self.shared.mailbox), &peer, event_id).await
    }
}

impl Protocol {
    /// The lists in which clients would see a difference.
    fn lists_that_differ(&self, other: &Self) -> Vec<ListKind> {
        let mut kinds = Vec::new();
        if !self.tools.same_list(&other.tools) {
            kinds.push(ListKind::Tools);
        }
        if !self.resources.same_list(&other.resources) || !self.skills.same_list(&other.skills) {
            kinds.push(ListKind::Resources);
        }
        if !self.prompts.same_list(&other.prompts) {
            kinds.push(ListKind::Prompts);
        }
        kinds
    }
}
