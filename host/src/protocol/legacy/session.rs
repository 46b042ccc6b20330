//! The session of a stream: its client introduces itself at `initialize`, and never again.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use crate::function::Client;

/// What is known of the legacy client at the other end of a stream, for as long as the stream lasts.
///
/// HTTP has none: there, the next request may reach another host.
#[derive(Debug, Default)]
pub struct Session {
    client: OnceLock<Client>,
    begun: AtomicBool,
    ready: AtomicBool,
    listens: bool,
}

impl Session {
    /// A session whose client is told when the list of tools changes.
    pub fn listening() -> Self {
        Self { listens: true, ..Self::default() }
    }

    /// Whether the client has finished the handshake, before which it is told nothing (2025-11-25, basic/lifecycle).
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// Takes note of `initialize`, and of who the client says it is. The first one stays: a stream is initialized once (2025-11-25,
    /// basic/lifecycle).
    pub(super) fn begin(&self, client: Option<Client>) {
        self.begun.store(true, Ordering::Relaxed);
        if let Some(client) = client {
            _ = self.client.set(client);
        }
    }

    /// Takes note that the client has finished the handshake.
    pub(super) fn finish(&self) {
        if self.begun.load(Ordering::Relaxed) {
            self.ready.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the client is told when the list of tools changes.
    pub(super) fn listens(&self) -> bool {
        self.listens
    }

    /// The client, if it said who it is.
    pub(super) fn client(&self) -> Option<&Client> {
        self.client.get()
    }
}
