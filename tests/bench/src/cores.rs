//! Which core a thread, or a program, runs on.

use std::thread;

use anyhow::{Context, Result};
use rustix::thread::{CpuSet, sched_setaffinity};

/// Where servers run.
pub const SERVER: usize = 0;

/// Where the load comes from: the next core, where there is one.
pub fn client() -> usize {
    usize::from(thread::available_parallelism().is_ok_and(|n_cores| n_cores.get() > 1))
}

/// Runs something on a thread that keeps to these cores; programs that it starts keep to them as well.
pub fn on<T: Send>(cores: &[usize], work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    thread::scope(|scope| {
        let pinned = scope.spawn(|| {
            let mut set = CpuSet::new();
            for core in cores {
                set.set(*core);
            }
            sched_setaffinity(None, &set)
                .with_context(|| format!("cannot keep to the cores {cores:?}"))?;
            work()
        });
        pinned.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
