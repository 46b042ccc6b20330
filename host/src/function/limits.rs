//! What one invocation may use, how many of a function run at once, and which instances are kept.

use std::time::Duration;

/// What one invocation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time from the call to the reply; none is without end.
    pub time: Option<Duration>,
    /// Processor time; none is as much as [`Self::time`] gives.
    pub cpu_time: Option<Duration>,
    /// Bytes of linear memory, all memories together.
    pub memory: usize,
    /// Elements of all tables together.
    pub table_elements: usize,
    /// What it may have open at once: timers, streams, host calls in flight.
    pub handles: usize,
    /// Bytes of the arguments, as JSON text; none is as many as a message holds.
    pub arguments: Option<usize>,
    /// Bytes that it may return, its outputs included.
    pub reply: usize,
    /// Bytes that it may print and log.
    pub log: usize,
}

impl Limits {
    /// What raises [`Self::memory`] in host.json.
    pub const MEMORY_SETTING: &str = "limits.memoryMiB";
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Some(Duration::from_secs(30)),
            cpu_time: None,
            memory: 64 << 20,
            table_elements: 100_000,
            handles: 1000,
            arguments: None,
            reply: 32 << 20,
            log: 256 << 10,
        }
    }
}

/// How many invocations of one function there may be at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    /// How many run; none is half of what the host runs.
    pub running: Option<usize>,
    /// How many wait for one that runs to end.
    pub waiting: usize,
}

impl Default for Concurrency {
    fn default() -> Self {
        Self { running: None, waiting: 1000 }
    }
}

/// Which instances are kept for further invocations of the same function by the same caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warm {
    /// How many idle ones.
    pub max: usize,
    /// For how many invocations each.
    pub max_uses: u32,
    /// For how long each without being used.
    pub idle: Duration,
}

impl Default for Warm {
    fn default() -> Self {
        Self { max: 1, max_uses: 1000, idle: Duration::from_mins(5) }
    }
}
