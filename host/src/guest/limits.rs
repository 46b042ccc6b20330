//! Holds an instance to what it may take from the host's memory.

use wasmtime::ResourceLimiter;

use crate::function::Limits;

/// Counts what an instance takes, and ends it when it is too much.
///
/// Returning `false` would let the guest's allocator abort, which cannot be told from a panic.
#[derive(Debug)]
pub(super) struct Limiter {
    memory: Count,
    tables: Count,
}

/// Of all memories, or of all tables.
#[derive(Debug)]
struct Count {
    limit: usize,
    now: usize,
    /// What was counted last: taken back, if the engine could not make it.
    last: usize,
}

/// The instance wanted more memory than its limit.
#[derive(Debug, thiserror::Error)]
#[error("out of memory (limit {limit} bytes)")]
pub(super) struct OutOfMemory {
    pub(super) limit: usize,
}

/// The instance wanted more table elements than its limit.
#[derive(Debug, thiserror::Error)]
#[error("its tables are full (limit {limit} elements)")]
pub(super) struct TablesFull {
    pub(super) limit: usize,
}

impl Limiter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { memory: Count::up_to(limits.memory), tables: Count::up_to(limits.table_elements) }
    }

    /// Bytes of linear memory so far. No memory shrinks.
    pub(super) fn memory(&self) -> usize {
        self.memory.now
    }
}

impl Count {
    fn up_to(limit: usize) -> Self {
        Self { limit, now: 0, last: 0 }
    }

    /// Counts a growth. None: it is too much. False: it is more than the guest itself declared as the most, so that
    /// it fails without costing anything.
    fn grow(&mut self, current: usize, desired: usize, declared: Option<usize>) -> Option<bool> {
        self.last = 0;
        if declared.is_some_and(|most| desired > most) {
            return Some(false);
        }
        let more = desired.saturating_sub(current);
        let total = self.now.checked_add(more).filter(|&total| total <= self.limit)?;
        (self.now, self.last) = (total, more);
        Some(true)
    }

    fn take_back(&mut self) {
        self.now -= std::mem::take(&mut self.last);
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let grown = self.memory.grow(current, desired, maximum);
        grown.ok_or_else(|| OutOfMemory { limit: self.memory.limit }.into())
    }

    fn memory_grow_failed(&mut self, _: wasmtime::Error) -> wasmtime::Result<()> {
        self.memory.take_back();
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let grown = self.tables.grow(current, desired, maximum);
        grown.ok_or_else(|| TablesFull { limit: self.tables.limit }.into())
    }

    fn table_grow_failed(&mut self, _: wasmtime::Error) -> wasmtime::Result<()> {
        self.tables.take_back();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_grown_counts() {
        let mut limiter = Limiter::new(&Limits { memory: 100, ..Limits::default() });
        assert!(limiter.memory_growing(0, 60, Some(80)).unwrap());
        assert!(!limiter.memory_growing(60, 90, Some(80)).unwrap());
        limiter.memory_grow_failed(wasmtime::Error::msg("it is at its maximum")).unwrap();
        assert_eq!(limiter.memory(), 60);
        assert!(limiter.memory_growing(60, 70, None).unwrap());
        limiter.memory_grow_failed(wasmtime::Error::msg("no memory")).unwrap();
        assert_eq!(limiter.memory(), 60);
        assert!(limiter.memory_growing(0, 41, None).is_err());
    }
}
