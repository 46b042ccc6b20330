//! What was measured on: figures mean nothing without it.

use std::{fmt, fs, path::Path, process::Command};

/// A machine, at a time.
#[derive(Clone, Debug)]
pub struct Machine {
    cpu: String,
    n_cores: usize,
    memory_gib: u64,
    kernel: String,
    rustc: String,
    date: String,
    load: String,
}

impl Machine {
    /// This one, now.
    pub fn this() -> Self {
        let read = |file| fs::read_to_string(file).unwrap_or_default();
        let field = |text: &str, key: &str| {
            let line = text.lines().find(|line| line.starts_with(key));
            line.and_then(|line| line.split(':').nth(1)).unwrap_or("unknown").trim().to_owned()
        };
        let run = |program: &str, args: &[&str]| {
            let output = Command::new(program).args(args).output();
            let text =
                output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
            text.unwrap_or_else(|_| String::from("unknown"))
        };
        let cpu = read("/proc/cpuinfo");
        let kib = field(&read("/proc/meminfo"), "MemTotal");
        let kib: u64 = kib.split(' ').next().and_then(|kib| kib.parse().ok()).unwrap_or_default();
        Self {
            cpu: field(&cpu, "model name"),
            n_cores: cpu.lines().filter(|line| line.starts_with("processor")).count(),
            memory_gib: (kib + (1 << 19)) >> 20,
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            rustc: run("rustc", &["--version"]),
            date: run("date", &["-u", "+%Y-%m-%d %H:%M UTC"]),
            load: read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    /// When, and how busy it was.
    pub fn moment(&self) -> String {
        format!("{}, load average before: {}", self.date, self.load)
    }
}

/// The kind of file system that a folder is on, since some have nothing to sync to.
pub fn file_system(folder: &Path) -> String {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let kind = kind_of(&mounts, folder);
    kind.unwrap_or("an unknown file system").to_owned()
}

/// The fifth field is where it is mounted; its kind comes after a dash (`man 5 proc_pid_mountinfo`).
fn kind_of<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let mounts = mounts.lines().filter_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        Some((place.split(' ').nth(4)?, kind.split(' ').next()?))
    });
    let above = mounts.filter(|(place, _)| folder.starts_with(place));
    above.max_by_key(|(place, _)| place.len()).map(|(_, kind)| kind)
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "- {} cores of {}, {} GiB of memory, Linux {}\n- {}\n- {}",
            self.n_cores,
            self.cpu,
            self.memory_gib,
            // What a distribution or a provider adds tells nothing.
            self.kernel.split('-').next().unwrap_or_default(),
            self.rustc,
            self.moment()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mount_says_the_kind() {
        let mounts = "\
            22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
            23 22 0:20 / /tmp rw shared:5 - tmpfs tmpfs rw\n";
        assert_eq!(kind_of(mounts, Path::new("/tmp/x")), Some("tmpfs"));
        assert_eq!(kind_of(mounts, Path::new("/tmpx")), Some("ext4"));
        assert_eq!(kind_of("", Path::new("/")), None);
    }
}
