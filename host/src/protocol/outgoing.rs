//! What is sent to a client while a request of its is being answered.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use bytes::Bytes;

/// How many messages wait for a client that does not read them, and how many bytes.
const MAX_WAITING: usize = 1024;
const MAX_BYTES: usize = 4 << 20;

/// The messages that go before the answer to a request, in order: made by the one who answers, sent by the transport.
#[derive(Clone, Debug, Default)]
pub struct Outgoing(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    messages: VecDeque<Bytes>,
    n_bytes: usize,
    // The one who sends; there is one.
    waker: Option<Waker>,
}

impl Outgoing {
    /// Adds a message that may be left out: half of the room is for others.
    pub(super) fn tell(&self, message: Bytes) {
        self.push_within(message, MAX_WAITING / 2, MAX_BYTES / 2);
    }

    /// Adds a message. False: too many wait already.
    pub fn push(&self, message: Bytes) -> bool {
        self.push_within(message, MAX_WAITING, MAX_BYTES)
    }

    fn push_within(&self, message: Bytes, max_waiting: usize, max_bytes: usize) -> bool {
        let waker = {
            let mut queue = self.lock();
            if queue.messages.len() >= max_waiting || queue.n_bytes + message.len() > max_bytes {
                return false;
            }
            queue.n_bytes += message.len();
            queue.messages.push_back(message);
            queue.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }

    /// The next message, if one waits.
    pub fn take(&self) -> Option<Bytes> {
        let mut queue = self.lock();
        let message = queue.messages.pop_front()?;
        queue.n_bytes -= message.len();
        Some(message)
    }

    /// Waits for the next message.
    pub async fn next(&self) -> Bytes {
        std::future::poll_fn(|cx| self.poll_next(cx)).await
    }

    /// The next message.
    pub fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Bytes> {
        let mut queue = self.lock();
        let Some(message) = queue.messages.pop_front() else {
            queue.waker = Some(cx.waker().clone());
            return Poll::Pending;
        };
        queue.n_bytes -= message.len();
        Poll::Ready(message)
    }

    /// Whether a message waits; whoever asks is woken when one comes.
    pub fn poll_waiting(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut queue = self.lock();
        if queue.messages.is_empty() {
            queue.waker = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use futures_util::poll;

    use super::{MAX_WAITING, Outgoing};

    #[tokio::test]
    async fn messages_come_in_order_and_wake_who_waits() {
        let outgoing = Outgoing::default();
        let mut next = Box::pin(outgoing.next());
        assert!(poll!(next.as_mut()).is_pending());
        assert!(outgoing.push(Bytes::from_static(b"one")));
        assert!(outgoing.push(Bytes::from_static(b"two")));
        assert_eq!(next.await, "one");
        assert_eq!(outgoing.next().await, "two");
        assert_eq!(outgoing.take(), None);
    }

    #[test]
    fn a_client_that_does_not_read_is_not_waited_for() {
        let outgoing = Outgoing::default();
        for _ in 0..MAX_WAITING {
            assert!(outgoing.push(Bytes::from_static(b"x")));
        }
        assert!(!outgoing.push(Bytes::from_static(b"x")));
    }
}
