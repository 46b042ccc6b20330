//! What the tests need of the machine beside Rust: asked first, not found out after an hour.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

/// A program that must succeed, and the packages of Debian and Ubuntu that it is in.
const NEEDS: [(&[&str], &str); 2] = [
    (&["python3", "-c", "import ensurepip, venv"], "python3-venv"),
    (&["npm", "--version"], "npm"),
];

/// Fails with the one command that installs what is missing.
pub(crate) fn check() -> Result<()> {
    let missing: Vec<_> = NEEDS
        .iter()
        .filter(|(command, _)| !succeeds(command))
        .map(|&(_, package)| package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let sudo = if succeeds(&["sh", "-c", "test $(id -u) = 0"]) { "" } else { "sudo " };
    let packages = missing.join(" ");
    bail!(
        "the tests run real MCP clients and need {}; install with\n  \
         {sudo}apt-get update && {sudo}apt-get install -y {packages}",
        missing.join(" and "),
    );
}

fn succeeds(command: &[&str]) -> bool {
    Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
