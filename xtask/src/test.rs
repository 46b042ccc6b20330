//! `cargo xtask test`: makes everything that the tests need, then runs them.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

use anyhow::{Context, Result};

use crate::{build, needs, packages, step::Step, workspace::Workspace};

/// Runs the tests; arguments are given to `cargo test`, as a filter or after `--`.
pub(crate) fn run(workspace: &Workspace, args: &[String]) -> Result<()> {
    needs::check()?;
    let started = Instant::now();

    // With the tests, and not the host alone: their dependencies turn on features, and the host
    // would be built a second time for them.
    Step::new("host", workspace, "cargo")
        .args(["build", "--workspace", "--exclude", "test-programs", "--profile", "ci"])
        .args(["--lib", "--bins", "--tests"])
        .run()?;

    // By itself, since its dependencies turn on features of what the others share with the host; and as for
    // development, which takes half a minute of what would be five.
    Step::new("peers", workspace, "cargo")
        .args(["build", "--package", "differential", "--features", "differential/peers"])
        .args(["--package", "storage", "--features", "storage/server", "--bins"])
        .run()?;
    let peers = workspace.target_directory.join("debug");
    let programs = guests(workspace, "ci")?;
    let clients = packages::install(workspace, packages::CLIENTS)?;
    let mut count = Count::default();
    let tested = Step::new("test", workspace, "cargo")
        .env("MCPFN_TEST_PROGRAMS", &programs)
        .env("MCPFN_TEST_PEERS", &peers)
        .env("MCPFN_TEST_PYTHON", &clients.python)
        .env("MCPFN_TEST_NODE_MODULES", &clients.node_modules)
        // The guests for tests have no tests of their own, and are programs to link.
        .args(["test", "--workspace", "--exclude", "test-programs"])
        .args(["--profile", "ci", "--no-fail-fast"])
        .args(args)
        .run_reading(|line| count.add(line));

    let seconds = started.elapsed().as_secs();
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "time: {} min {} s", seconds / 60, seconds % 60)?;
    writeln!(stdout, "tests: {} passed, {} failed", count.n_passed, count.n_failed)?;
    tested
}

/// Builds all guests for tests and the samples, with the host of a profile; the folder that they are in.
pub(crate) fn guests(workspace: &Workspace, profile: &str) -> Result<PathBuf> {
    let programs = workspace.target_directory.join("test-programs");
    if programs.exists() {
        // A program that is gone from the sources must be gone from the tests.
        fs::remove_dir_all(&programs)
            .with_context(|| format!("cannot remove `{}`", programs.display()))?;
    }
    let folders = ["tests/programs", "tests/bench/guests", "samples"];
    let packages: Vec<_> =
        folders.iter().flat_map(|folder| workspace.packages_in(folder)).collect();
    build::guests(workspace, profile, &packages, &programs.to_string_lossy()).run()?;
    Ok(programs)
}

/// The sum of what every test program says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    n_passed: u32,
    n_failed: u32,
}

impl Count {
    /// Adds a line such as `test result: ok. 3 passed; 0 failed; 0 ignored; ...`.
    fn add(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        let number_before = |word| {
            let words: Vec<_> = result.split([' ', ';']).collect();
            let at = words.iter().position(|it| *it == word)?;
            words.get(at.checked_sub(1)?)?.parse::<u32>().ok()
        };
        self.n_passed += number_before("passed").unwrap_or_default();
        self.n_failed += number_before("failed").unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up() {
        let mut count = Count::default();
        for line in [
            "running 3 tests",
            "test a ... ok",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 10 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.00s",
        ] {
            count.add(line);
        }
        assert_eq!(count, Count { n_passed: 13, n_failed: 2 });
    }
}
