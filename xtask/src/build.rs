//! `cargo xtask build`: the host in release mode, and the samples in `functions/`.

use anyhow::Result;

use crate::{step::Step, workspace::Workspace};

/// Builds both. The samples are built by the host's own `build`, as a tool author's are.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let host = ["build", "--release", "--package", "mcpfn"];
    Step::new("host", workspace, "cargo").args(host).run()?;
    guests(workspace, "release", &workspace.packages_in("samples"), "functions").run()
}

/// The step that builds guests into a folder, with the host of a profile.
pub(crate) fn guests(workspace: &Workspace, profile: &str, packages: &[&str], out: &str) -> Step {
    Step::new("guests", workspace, workspace.mcpfn(profile))
        .args(["build", "--profile", "guest", "--out", out])
        .args(packages.iter().flat_map(|package| ["--package", package]))
}
