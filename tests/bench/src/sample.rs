//! What a process has used so far, and what it holds now, as `/proc` tells it.

use std::{collections::BTreeMap, fs, time::Duration};

use anyhow::{Context, Result};

/// What a process holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Resident memory, in KiB.
    pub rss_kib: u64,
    /// The part of it that is no file, in KiB.
    pub anonymous_kib: u64,
    /// Threads.
    pub n_threads: u64,
    /// Open file descriptors.
    pub n_files: u64,
}

impl Sample {
    /// Reads what a process holds now.
    pub fn take(pid: u32) -> Result<Self> {
        let file = format!("/proc/{pid}/status");
        let status = fs::read_to_string(&file).with_context(|| file.clone())?;
        let n_files = fs::read_dir(format!("/proc/{pid}/fd"))?.count();
        Ok(Self { n_files: n_files as u64, ..Self::parse(&status) })
    }

    fn parse(status: &str) -> Self {
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
        };
        Self {
            rss_kib: number("VmRSS"),
            anonymous_kib: number("RssAnon"),
            n_threads: number("Threads"),
            n_files: 0,
        }
    }
}

/// The processor time of each thread of a process, since each began.
#[derive(Clone, Debug, Default)]
pub struct CpuTimes(BTreeMap<u32, Duration>);

impl CpuTimes {
    /// Reads them, to the nanosecond.
    pub fn take(pid: u32) -> Result<Self> {
        let folder = format!("/proc/{pid}/task");
        let mut times = BTreeMap::new();
        for entry in fs::read_dir(&folder).with_context(|| folder.clone())? {
            let thread = entry?.file_name().to_string_lossy().parse()?;
            // A thread may end while we look; what it used since the last look is lost.
            if let Ok(text) = fs::read_to_string(format!("{folder}/{thread}/schedstat")) {
                times.insert(thread, parse_schedstat(&text).context("no time in schedstat")?);
            }
        }
        Ok(Self(times))
    }

    /// What was used between an earlier look and this one.
    pub fn since(&self, earlier: &Self) -> Duration {
        let used = self.0.iter().map(|(thread, time)| {
            time.saturating_sub(earlier.0.get(thread).copied().unwrap_or_default())
        });
        used.sum()
    }
}

/// The first number is the time on a processor, in nanoseconds.
fn parse_schedstat(text: &str) -> Option<Duration> {
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_read() {
        let status = "Name:\tx\nVmRSS:\t   1024 kB\nRssAnon:\t     512 kB\nThreads:\t7\n";
        let expected = Sample { rss_kib: 1024, anonymous_kib: 512, n_threads: 7, n_files: 0 };
        assert_eq!(Sample::parse(status), expected);
    }

    #[test]
    fn times_of_new_threads_count_and_those_of_ended_ones_do_not() {
        let times = |list: &[(u32, u64)]| {
            CpuTimes(list.iter().map(|&(id, ns)| (id, Duration::from_nanos(ns))).collect())
        };
        let (earlier, later) = (times(&[(1, 10), (2, 10)]), times(&[(1, 15), (3, 7)]));
        assert_eq!(later.since(&earlier), Duration::from_nanos(12));
    }

    #[test]
    fn this_process_can_be_looked_at() {
        let sample = Sample::take(std::process::id()).unwrap();
        assert!(sample.rss_kib > 0 && sample.n_threads > 0 && sample.n_files > 0, "{sample:?}");
        CpuTimes::take(std::process::id()).unwrap();
    }
}
