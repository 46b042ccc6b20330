//! When an invocation has to end.

use std::time::{Duration, Instant};

use super::GuestError;

/// When an invocation has to end; never, when it has no timeout.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    /// The time is counted from `started`.
    pub fn after(started: Instant, timeout: Option<Duration>) -> Self {
        Self(timeout.map(|timeout| (started + timeout, timeout)))
    }

    /// The moment.
    pub fn at(self) -> Option<Instant> {
        self.0.map(|(at, _)| at)
    }

    /// Waits no longer than until then; what is not done by then is dropped.
    pub async fn bound<T>(self, future: impl Future<Output = T>) -> Result<T, GuestError> {
        match self.0 {
            None => Ok(future.await),
            Some((at, total)) => tokio::time::timeout_at(at.into(), future)
                .await
                .map_err(|_| GuestError::Timeout(total)),
        }
    }
}
