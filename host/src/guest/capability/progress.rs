//! `progress`: how far the running invocation is, told to whoever listens.

use super::context::Context;
use crate::{
    function::{Event, Listener},
    guest::bindings::mcpfn::function::progress::Host,
};

/// The longest text of a report, in bytes; the rest of it is cut.
const MAX_MESSAGE: usize = 1 << 10;

#[derive(Default)]
pub(in crate::guest) struct Progress {
    // Reports must grow (2026-07-28, basic/utilities/progress).
    last: Option<f64>,
}

impl Progress {
    /// Another invocation begins.
    pub(in crate::guest) fn begin(&mut self) {
        self.last = None;
    }

    fn report(
        &mut self,
        listener: &dyn Listener,
        done: f64,
        total: Option<f64>,
        message: Option<String>,
    ) {
        let grows = self.last.is_none_or(|last| done > last);
        let total = total.filter(|total| total.is_finite());
        if !done.is_finite() || !grows {
            return;
        }
        self.last = Some(done);
        let message = message.map(|mut message| {
            message.truncate(message.floor_char_boundary(MAX_MESSAGE));
            message
        });
        listener.tell(Event::Progress { done, total, message });
    }
}

/// The two that a report needs.
pub(in crate::guest) struct View<'a> {
    pub(in crate::guest) progress: &'a mut Progress,
    pub(in crate::guest) context: &'a Context,
}

impl Host for View<'_> {
    fn report(&mut self, done: f64, total: Option<f64>, message: Option<String>) {
        if let Some(listener) = self.context.listener() {
            self.progress.report(listener, done, total, message);
        }
    }
}
