//! How much is measured: all of it, or just enough to see that the program works.

use std::time::Duration;

use bench::load::Load;

/// How much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) n_repetitions: usize,
    pub(crate) duration: Duration,
    /// Of the engine alone and of the host in process, whose figures need less time to be steady.
    pub(crate) engine_duration: Duration,
    pub(crate) n_engine_repetitions: usize,
    /// Of each of the many figures of storage.
    pub(crate) storage_duration: Duration,
    /// How many components are loaded in turn.
    pub(crate) components: [usize; 3],
    /// How many of them are called in turn.
    pub(crate) in_turn: usize,
    pub(crate) cycle_components: [usize; 4],
    pub(crate) n_swaps: usize,
}

/// How many requests are in flight at a time.
pub(crate) const CONCURRENCY: [usize; 3] = [1, 16, 64];

impl Plan {
    pub(crate) const FULL: Self = Self {
        n_repetitions: 5,
        duration: Duration::from_secs(5),
        engine_duration: Duration::from_secs(1),
        n_engine_repetitions: 5,
        storage_duration: Duration::from_secs(2),
        components: [1, 100, 1000],
        in_turn: 64,
        cycle_components: [1, 8, 64, 150],
        n_swaps: 100,
    };

    /// All that is measured, in a few minutes.
    pub(crate) const BRIEF: Self = Self {
        n_repetitions: 3,
        duration: Duration::from_secs(1),
        n_engine_repetitions: 1,
        storage_duration: Duration::from_secs(1),
        ..Self::FULL
    };

    pub(crate) const QUICK: Self = Self {
        n_repetitions: 1,
        duration: Duration::from_millis(300),
        engine_duration: Duration::from_millis(300),
        n_engine_repetitions: 1,
        storage_duration: Duration::from_millis(100),
        components: [1, 2, 4],
        in_turn: 2,
        cycle_components: [1, 2, 3, 4],
        n_swaps: 3,
    };

    pub(crate) fn load(&self, n_connections: usize) -> Load {
        Load { n_connections, warm_up: self.duration / 10, duration: self.duration }
    }

    pub(crate) fn storage_load(&self, n_connections: usize) -> Load {
        let duration = self.storage_duration;
        Load { n_connections, warm_up: duration / 10, duration }
    }
}
