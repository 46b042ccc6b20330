//! Lets short calls pass long ones.
//!
//! A guest that has computed for a few milliseconds is a long one. From then on it runs in slices of one
//! tick, and needs a turn for each; there are as many turns as cores. After a slice it keeps its turn until
//! the runtime has done all else that there is to do, then passes it on. So however many long guests there
//! are, each core has one of them to do at the most, and what is new waits for one slice.

use std::{
    cell::Cell,
    pin::Pin,
    task::Poll,
    time::{Duration, Instant},
};

use rustix::time::{ClockId, clock_gettime};
use tokio::sync::Semaphore;

use super::{GuestError, ticker::TICK};

/// Ticks that a guest computes before it yields for the first time.
pub(super) const FIRST_SLICE: u32 = 5;

/// From here on a guest is a long one. Its first slice is shorter than [`FIRST_SLICE`] by part of a tick.
const SHORT: Duration = TICK.saturating_mul(FIRST_SLICE - 1);

thread_local! {
    /// Whether a guest on this thread ended its slice, and did not begin to wait for something.
    static SLICE_ENDED: Cell<bool> = const { Cell::new(false) };
}

/// Ends the slice of the guest that runs on this thread.
pub(super) fn end_slice() -> Pin<Box<dyn Future<Output = ()> + Send>> {
    SLICE_ENDED.set(true);
    // The runtime looks at its sockets and its other tasks before it goes on with this one.
    Box::pin(tokio::task::yield_now())
}

/// The turns of long guests.
#[derive(Debug)]
pub(super) struct Turns(Semaphore);

impl Turns {
    /// As many as there are cores for guests.
    pub(super) fn new() -> Self {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Semaphore::new(n_cores))
    }

    /// Runs a guest to its end, or until it has used all of its processor time.
    pub(super) async fn run<F: Future>(
        &self,
        cpu_limit: Option<Duration>,
        mut guest: Pin<&mut F>,
    ) -> Result<F::Output, GuestError> {
        let mut used = Duration::ZERO;
        let mut turn = None;
        loop {
            if used >= SHORT {
                // Who waited longest is next. The semaphore is never closed; without a turn it would only be
                // unfair.
                drop(turn.take());
                turn = self.0.acquire().await.ok();
            }
            SLICE_ENDED.set(false);
            let began = match cpu_limit {
                // Most calls end within this slice, and this clock costs next to nothing.
                None if used < SHORT => Moment::Passed(Instant::now()),
                // What other programs of the machine take must not count.
                _ => Moment::Computed(processor_time()),
            };
            let polled = once(guest.as_mut()).await;
            used += began.elapsed();
            if let Poll::Ready(output) = polled {
                return Ok(output);
            }
            if let Some(limit) = cpu_limit.filter(|&limit| used >= limit) {
                return Err(GuestError::CpuTime(limit));
            }
            if !SLICE_ENDED.get() {
                // It waits in the host, nobody knows for how long.
                turn = None;
            }
            woken().await;
        }
    }
}

/// A reading of one of two clocks.
enum Moment {
    Passed(Instant),
    Computed(Duration),
}

impl Moment {
    fn elapsed(&self) -> Duration {
        match self {
            Self::Passed(began) => began.elapsed(),
            Self::Computed(began) => processor_time().saturating_sub(*began),
        }
    }
}

/// Polls once, whatever comes of it.
async fn once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await
}

/// Waits until the task is woken, by what the guest waits for.
async fn woken() {
    let mut waited = false;
    std::future::poll_fn(|_| {
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// What this thread has computed. Between two polls a task may move to another thread, never within one.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
