//! Instances that are kept between invocations of one function, for guests whose start takes long.
//!
//! An instance serves one caller only: what it has in memory came from that one. It is kept after an answer
//! and never after a trap, a timeout or a cancelled call.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Instant,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::AbortHandle,
    time::sleep_until,
};

use super::live::Live;
use crate::function::Warm;

/// The idle instances of one function.
#[derive(Debug)]
pub(super) struct Pool {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    warm: Warm,
    /// The places that all functions share: an idle instance must not take the slot that a call needs.
    places: Arc<Semaphore>,
    idle: Mutex<Idle>,
}

#[derive(Debug, Default)]
struct Idle {
    /// By caller; the one that was used last is the last.
    instances: HashMap<Option<Box<str>>, Vec<Kept>>,
    n_instances: usize,
    /// Throws away what was idle for too long; there is one while there are instances.
    reaper: Option<AbortHandle>,
}

struct Kept {
    live: Box<Live>,
    since: Instant,
    // None: it was given to the one that takes its place.
    place: Option<OwnedSemaphorePermit>,
}

impl Pool {
    pub(super) fn new(warm: Warm, places: Arc<Semaphore>) -> Self {
        Self { shared: Arc::new(Shared { warm, places, idle: Mutex::default() }) }
    }

    /// An instance that served this caller before.
    pub(super) fn take(&self, principal: Option<&str>) -> Option<Live> {
        let mut idle = self.shared.lock();
        // A key of its own only where there is a caller with a name.
        let kept = idle.instances.get_mut(&principal.map(Into::into))?.pop()?;
        idle.n_instances -= 1;
        Some(*kept.live)
    }

    /// Keeps an instance that has answered, if it may serve again and there is a place for it.
    pub(super) fn keep(&self, principal: Option<&str>, mut live: Live) {
        let Shared { warm, places, .. } = &*self.shared;
        live.n_uses += 1;
        if live.n_uses >= warm.max_uses {
            return;
        }
        let mut idle = self.shared.lock();
        // Where the functions together have taken all places, each makes room from its own.
        let place = Arc::clone(places).try_acquire_owned().ok();
        let has_room = place.is_some() && idle.n_instances < warm.max;
        let mut replaced = if has_room { None } else { idle.remove_oldest() };
        let Some(place) = place.or_else(|| replaced.as_mut()?.place.take()) else { return };
        let kept = Kept { live: Box::new(live), since: Instant::now(), place: Some(place) };
        idle.instances.entry(principal.map(Into::into)).or_default().push(kept);
        idle.n_instances += 1;
        if idle.reaper.is_none() {
            let reap = reap(Arc::downgrade(&self.shared));
            idle.reaper = Some(tokio::spawn(reap).abort_handle());
        }
        drop(idle);
        // Out of the lock: it takes a while to give memory back.
        drop(replaced);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(reaper) = self.shared.lock().reaper.take() {
            reaper.abort();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Idle {
    /// Takes out all that has been idle since before `limit`.
    fn remove_before(&mut self, limit: Instant) -> Vec<Kept> {
        let mut removed = Vec::new();
        self.instances.retain(|_, kept| {
            removed.extend(kept.extract_if(.., |kept| kept.since <= limit));
            !kept.is_empty()
        });
        self.n_instances -= removed.len();
        removed
    }

    /// Makes room for an instance of another caller.
    fn remove_oldest(&mut self) -> Option<Kept> {
        let (_, oldest) = self
            .instances
            .values_mut()
            .filter_map(|kept| Some((kept.first()?.since, kept)))
            .min_by_key(|(since, _)| *since)?;
        self.n_instances -= 1;
        Some(oldest.remove(0))
    }

    fn oldest(&self) -> Option<Instant> {
        self.instances.values().filter_map(|kept| Some(kept.first()?.since)).min()
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept").field("since", &self.since).finish_non_exhaustive()
    }
}

/// Throws away what is idle for too long; ends when nothing is left. The pool ends it, if it goes first.
async fn reap(shared: Weak<Shared>) {
    loop {
        let (next, removed) = {
            let Some(shared) = shared.upgrade() else { return };
            let limit = Instant::now().checked_sub(shared.warm.idle);
            let mut idle = shared.lock();
            let removed = limit.map(|limit| idle.remove_before(limit)).unwrap_or_default();
            let next = idle.oldest().map(|oldest| oldest + shared.warm.idle);
            if next.is_none() {
                idle.reaper = None;
            }
            (next, removed)
        };
        if !removed.is_empty() {
            tracing::debug!(n_instances = removed.len(), "idle instances are thrown away");
        }
        drop(removed);
        let Some(next) = next else { return };
        sleep_until(next.into()).await;
    }
}
