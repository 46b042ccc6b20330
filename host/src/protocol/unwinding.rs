//! Panics that end one piece of work and nothing else.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::Poll,
};

/// A panic, whose message went to standard error already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panic;

/// Runs a future and stops a panic: one call or task must not end others.
pub(super) async fn unwinding<F: Future>(mut future: Pin<&mut F>) -> Result<F::Output, Panic> {
    poll_fn(move |cx| {
        // Nothing that outlives the work is left half written: stores change a record as a whole, and all else belongs
        // to the work.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(_) => Poll::Ready(Err(Panic)),
        }
    })
    .await
}
