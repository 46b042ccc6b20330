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

/// Runs a future and stops a panic: one call must not end the connection of others.
pub(super) async fn unwinding<F: Future>(mut future: Pin<&mut F>) -> Result<F::Output, Panic> {
    poll_fn(move |cx| {
        // Nothing that outlives the call is left half written: all state of a call belongs to the call.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(_) => Poll::Ready(Err(Panic)),
        }
    })
    .await
}
