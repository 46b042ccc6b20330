//! `changes`: what the running invocation changed that clients may have read.

use super::context::Context;
use crate::{
    function::{Event, ListKind},
    guest::bindings::mcpfn::function::changes::{Host, ListKind as WitListKind},
};

/// The longest URI that can be told, in bytes.
const MAX_URI: usize = 4 << 10;

/// How many changes one invocation can tell of: everyone who listens gets to hear them.
const MAX_CHANGES: u32 = 100;

impl Context {
    fn announce(&mut self, change: Event) {
        if self.n_changes < MAX_CHANGES {
            self.n_changes += 1;
            if let Some(listener) = self.listener() {
                listener.tell(change);
            }
        }
    }
}

impl Host for Context {
    fn list_changed(&mut self, kind: WitListKind) {
        let kind = match kind {
            WitListKind::Tools => ListKind::Tools,
            WitListKind::Resources => ListKind::Resources,
            WitListKind::Prompts => ListKind::Prompts,
        };
        self.announce(Event::ListChanged(kind));
    }

    fn resource_updated(&mut self, uri: String) {
        if uri.len() <= MAX_URI {
            self.announce(Event::ResourceUpdated(uri));
        }
    }
}
