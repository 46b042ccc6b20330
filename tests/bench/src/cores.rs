//! Which core a thread, or a program, runs on.

use std::{panic, thread};

use anyhow::{Result, ensure};
use core_affinity::CoreId;

/// Where servers run.
pub const SERVER: usize = 0;

/// Where the load comes from: the next core, where there is one.
pub fn client() -> usize {
    usize::from(core_affinity::get_core_ids().is_some_and(|cores| cores.len() > 1))
}

/// Keeps this thread to a core, and the programs that it starts.
pub fn keep_to(core: usize) -> Result<()> {
    ensure!(core_affinity::set_for_current(CoreId { id: core }), "cannot keep to core {core}");
    Ok(())
}

/// Runs something on a thread that keeps to a core.
pub fn on<T: Send>(core: usize, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    thread::scope(|scope| {
        let pinned = scope.spawn(|| {
            keep_to(core)?;
            work()
        });
        pinned.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}
