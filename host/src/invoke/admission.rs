//! Who may run: no more invocations than instances, no one function with all of them, and a queue that ends.
//!
//! It outlives a reload, so that calls of an old version and of the new one count together.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::sync::{Semaphore, SemaphorePermit};

use super::InvokeError;
use crate::{
    function::{Concurrency, Function},
    guest::Deadline,
};

/// The places for invocations of one host.
#[derive(Debug)]
pub struct Admission {
    places: Semaphore,
    n_places: usize,
    /// By function. There are several while versions with other numbers end, or are tried and refused.
    queues: Mutex<HashMap<String, Vec<Weak<Queue>>>>,
}

/// The invocations of one function.
#[derive(Debug)]
pub(super) struct Queue {
    places: Semaphore,
    n_places: usize,
    n_waiting: AtomicUsize,
    max_waiting: usize,
}

/// An invocation that may run, until this is dropped.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    _function: SemaphorePermit<'a>,
    _host: SemaphorePermit<'a>,
}

impl Admission {
    /// As many places as there may be instances.
    pub fn new(n_places: usize) -> Self {
        Self { places: Semaphore::new(n_places), n_places, queues: Mutex::default() }
    }

    /// The queue of a function: the one that it had before a reload, unless its numbers were changed. A version of
    /// the catalog that comes to nothing leaves no trace: what serves keeps its own.
    pub(super) fn queue(&self, function: &Function) -> Arc<Queue> {
        let Concurrency { running, waiting } = function.concurrency;
        let n_places = running.unwrap_or(self.n_places.div_ceil(2)).min(self.n_places);
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|_, queues| {
            queues.retain(|queue| queue.strong_count() > 0);
            !queues.is_empty()
        });
        let known = queues.entry(function.name.clone()).or_default();
        let is_same =
            |queue: &Arc<Queue>| (queue.n_places, queue.max_waiting) == (n_places, waiting);
        if let Some(queue) = known.iter().filter_map(Weak::upgrade).find(is_same) {
            return queue;
        }
        let queue = Arc::new(Queue {
            places: Semaphore::new(n_places),
            n_places,
            n_waiting: AtomicUsize::new(0),
            max_waiting: waiting,
        });
        known.push(Arc::downgrade(&queue));
        queue
    }

    /// Waits for a place, first come, first served.
    pub(super) async fn enter<'a>(
        &'a self,
        queue: &'a Queue,
        deadline: Deadline,
    ) -> Result<Permit<'a>, InvokeError> {
        let function = match queue.places.try_acquire() {
            Ok(permit) => permit,
            Err(_) => queue.wait(deadline).await?,
        };
        let host = match self.places.try_acquire() {
            Ok(permit) => permit,
            Err(_) => deadline.bound(self.places.acquire()).await?.expect(NEVER_CLOSED),
        };
        Ok(Permit { _function: function, _host: host })
    }
}

const NEVER_CLOSED: &str = "nothing closes the semaphore";

impl Queue {
    async fn wait(&self, deadline: Deadline) -> Result<SemaphorePermit<'_>, InvokeError> {
        let _place = Waiting::new(self)?;
        Ok(deadline.bound(self.places.acquire()).await?.expect(NEVER_CLOSED))
    }
}

/// A place in the queue.
struct Waiting<'a>(&'a Queue);

impl<'a> Waiting<'a> {
    fn new(queue: &'a Queue) -> Result<Self, InvokeError> {
        let n_before = queue.n_waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Self(queue);
        if n_before >= queue.max_waiting {
            return Err(InvokeError::Busy { running: queue.n_places, waiting: queue.max_waiting });
        }
        Ok(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.n_waiting.fetch_sub(1, Ordering::Relaxed);
    }
}
