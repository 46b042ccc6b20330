//! What a function reports while it runs, for the one who waits in a terminal.

use crate::{
    cli::{printable, say},
    function::{Event, Listener, LogLevel},
};

/// Says how far the work is. The log has its own way to standard error.
#[derive(Debug)]
pub(super) struct Terminal;

impl Listener for Terminal {
    fn tell(&self, event: Event) {
        if let Event::Progress { done, total, message } = event {
            let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
            let message =
                message.map(|message| format!(": {}", printable(&message))).unwrap_or_default();
            say(&format!("{done}{of}{message}"));
        }
    }

    fn hears(&self, _: LogLevel) -> bool {
        false
    }
}
