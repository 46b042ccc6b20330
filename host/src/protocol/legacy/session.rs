//! The session of a stream: its client introduces itself at `initialize`, and never again.

use std::sync::OnceLock;

use crate::function::Client;

/// What is known of the legacy client at the other end of a stream, for as long as the stream lasts.
///
/// HTTP has none: there, the next request may reach another host.
#[derive(Debug, Default)]
pub struct Session(OnceLock<Client>);

impl Session {
    /// Takes note of who the client says it is. The first one stays: a stream is initialized once (2025-11-25,
    /// basic/lifecycle).
    pub(super) fn introduce(&self, client: Client) {
        _ = self.0.set(client);
    }

    /// The client, if it said who it is.
    pub(super) fn client(&self) -> Option<&Client> {
        self.0.get()
    }
}
