//! What one instance may use.

use wasmtime::ResourceLimiter;

/// What one instance may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of linear memory, all memories together.
    pub memory: usize,
    /// Bytes that a function may return, its outputs included.
    pub reply: usize,
}

impl Limits {
    /// What raises [`Self::memory`] in host.json.
    pub const MEMORY_SETTING: &str = "memoryLimitMiB";
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 64 << 20, reply: 32 << 20 }
    }
}

/// Table elements of one instance, all tables together: 16 MiB of host memory.
const MAX_TABLE_ELEMENTS: usize = 1 << 20;

/// Counts what an instance takes, and ends it when it is too much.
///
/// Returning `false` would let the guest's allocator abort, which cannot be told from a panic.
#[derive(Debug)]
pub(super) struct Limiter {
    memory_limit: usize,
    memory: usize,
    table_elements: usize,
}

/// The instance wanted more memory than its limit.
#[derive(Debug, thiserror::Error)]
#[error("out of memory (limit {limit} bytes)")]
pub(super) struct OutOfMemory {
    pub(super) limit: usize,
}

impl Limiter {
    pub(super) fn new(limits: Limits) -> Self {
        Self { memory_limit: limits.memory, memory: 0, table_elements: 0 }
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
        self.table_elements = self.table_elements.saturating_add(desired.saturating_sub(current));
        Ok(self.table_elements <= MAX_TABLE_ELEMENTS)
    }
}
