//! `changes`: what the running invocation changed that clients may have read.

use super::context::Context;
use crate::{
    function::{Event, ListKind},
    guest::bindings::mcpfn::function::changes::{Host, ListKind as WitListKind},
};

/// The longest URI that can be told, in bytes.
const MAX_URI: usize = 4 << 10;

impl Host for Context {
    fn list_changed(&mut self, kind: WitListKind) {
        let kind = match kind {
            WitListKind::Tools => ListKind::Tools,
            WitListKind::Resources => ListKind::Resources,
            WitListKind::Prompts => ListKind::Prompts,
        };
        if let Some(listener) = self.listener() {
            listener.tell(Event::ListChanged(kind));
        }
    }

    fn resource_updated(&mut self, uri: String) {
        if let Some(listener) = self.listener().filter(|_| uri.len() <= MAX_URI) {
            listener.tell(Event::ResourceUpdated(uri));
        }
    }
}
