//! Holds an instance to what it may take from the host's memory.

use wasmtime::ResourceLimiter;

use crate::function::Limits;

/// Counts what an instance takes, and ends it when it is too much.
///
/// Returning `false` would let the guest's allocator abort, which cannot be told from a panic.
#[derive(Debug)]
pub(super) struct Limiter {
    memory_limit: usize,
    memory: usize,
    table_limit: usize,
    table_elements: usize,
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
        Self {
            memory_limit: limits.memory,
            memory: 0,
            table_limit: limits.table_elements,
            table_elements: 0,
        }
    }

    /// Bytes of linear memory so far. No memory shrinks.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.memory.saturating_add(desired.saturating_sub(current));
        if total > self.memory_limit {
            return Err(OutOfMemory { limit: self.memory_limit }.into());
        }
        self.memory = total;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let total = self.table_elements.saturating_add(desired.saturating_sub(current));
        if total > self.table_limit {
            return Err(TablesFull { limit: self.table_limit }.into());
        }
        self.table_elements = total;
        Ok(true)
    }
}
