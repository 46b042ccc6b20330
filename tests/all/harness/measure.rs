//! What a process takes, as the kernel counts it.

use std::{fs, time::Duration};

/// What a process has computed so far, all its threads together.
pub(crate) fn processor_time(pid: u32) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    let nanoseconds = tasks.filter_map(|task| {
        // A thread may end meanwhile.
        let stat = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        stat.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}

/// The memory of a process that is in use, in KiB.
pub(crate) fn resident_kib(pid: u32) -> u64 {
    kib(pid, "VmRSS:")
}

/// The most that it ever was.
pub(crate) fn peak_resident_kib(pid: u32) -> u64 {
    kib(pid, "VmHWM:")
}

fn kib(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.and_then(|number| number.trim().parse().ok()).expect("the kernel tells")
}
