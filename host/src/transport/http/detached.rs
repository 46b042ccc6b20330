//! Calls that go on though their client has lost its connection (2025-11-25, basic/transports: that is no
//! cancellation). The host waits for them when it stops, for a while.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;

/// How many there are at the most; a further one lives and ends with its connection.
const MAX_CALLS: usize = 1024;

/// The calls that need no connection.
#[derive(Debug, Default)]
pub(super) struct Detached(Mutex<JoinSet<()>>);

impl Detached {
    /// Whether there is room for one more.
    pub(super) fn has_room(&self) -> bool {
        let mut calls = self.lock();
        while calls.try_join_next().is_some() {}
        calls.len() < MAX_CALLS
    }

    /// Waits until all of them are over.
    pub(super) async fn finish(&self) {
        loop {
            let mut calls = std::mem::take(&mut *self.lock());
            if calls.is_empty() {
                return;
            }
            while calls.join_next().await.is_some() {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a call to its end.
    pub(super) fn spawn(&self, call: impl Future<Output = ()> + Send + 'static) {
        self.lock().spawn(call);
    }
}
