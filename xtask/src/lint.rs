//! `cargo xtask lint`: formatting, lints and documentation, where a warning is an error.

use anyhow::Result;

use crate::{step::Step, workspace::Workspace};

/// Checks all three; the first that fails ends it.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let cargo = |name| Step::new(name, workspace, "cargo");
    cargo("fmt").args(["fmt", "--all", "--check"]).run()?;
    cargo("clippy")
        .args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
        .run()?;
    cargo("doc").args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings").run()
}
