//! `cargo xtask build`: the host in release mode, the samples in `functions/`, and the component that has everything.

use anyhow::Result;

use crate::{step::Step, workspace::Workspace};

/// Where the component with everything goes: it is to be tried, and not to be served beside the samples.
const TOUR: &str = "target/tour";

/// Builds all three. Components are built by the host's own `build`, as a tool author's are.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let host = ["build", "--release", "--package", "mcpfn"];
    Step::new("host", workspace, "cargo").args(host).run()?;
    guests(workspace, "release", &workspace.packages_in("samples"), "functions").run()?;
    guests(workspace, "release", &workspace.packages_in("tests/programs/everything"), TOUR).run()
}

/// The step that builds guests into a folder, with the host of a profile.
pub(crate) fn guests(workspace: &Workspace, profile: &str, packages: &[&str], out: &str) -> Step {
    Step::new("guests", workspace, workspace.mcpfn(profile))
        .args(["build", "--profile", "guest", "--out", out])
        .args(packages.iter().flat_map(|package| ["--package", package]))
}
