//! What the machine has: how many instances fit into it.

use std::fs;

/// What a container may use; absent outside of one.
const CGROUP_LIMIT: &str = "/sys/fs/cgroup/memory.max";

/// As many instances as half of the memory holds with `memory` bytes each; a few on the smallest machine,
/// and no more than pay on the largest.
pub(super) fn max_instances(memory: usize) -> u32 {
    let container = fs::read_to_string(CGROUP_LIMIT).ok();
    let limit = container.and_then(|text| text.trim().parse().ok()).unwrap_or(u64::MAX);
    let fit = installed().min(limit) / 2 / memory.max(1) as u64;
    u32::try_from(fit).unwrap_or(u32::MAX).clamp(16, 256)
}

fn installed() -> u64 {
    let info = rustix::system::sysinfo();
    // `unsigned long` in C, which is as wide as an address.
    let total = info.totalram as u64;
    total.saturating_mul(u64::from(info.mem_unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_guests_leave_room_for_few() {
        assert_eq!(max_instances(usize::MAX), 16);
        assert_eq!(max_instances(1), 256);
        assert_eq!(max_instances(0), 256);
    }
}
