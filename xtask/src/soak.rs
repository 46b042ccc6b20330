//! `cargo xtask soak`: the host under mixed load, for as long as wanted.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::{step::Step, test, workspace::Workspace};

/// Builds the release, loads it, and writes the page.
pub(crate) fn run(workspace: &Workspace, args: &[String]) -> Result<()> {
    let minutes: f64 = match args {
        [] => 30.0,
        [name, minutes] if name == "--minutes" => {
            minutes.parse().with_context(|| format!("`{minutes}` is no number of minutes"))?
        }
        _ => bail!("usage: cargo xtask soak [--minutes N]"),
    };
    ensure!(minutes > 0.0 && minutes.is_finite(), "`{minutes}` is no number of minutes");
    let cargo = |name| Step::new(name, workspace, "cargo").args(["build", "--release"]);
    cargo("host").args(["--package", "mcpfn"]).run()?;
    cargo("soak").args(["--package", "bench", "--bin", "soak", "--no-default-features"]).run()?;
    let components = test::guests(workspace, "release")?;
    soak(workspace, "release", minutes, &components, &workspace.root.join("docs"))
}

/// Two minutes with what the tests have built.
pub(crate) fn in_ci(workspace: &Workspace) -> Result<()> {
    let components = workspace.target_directory.join("test-programs");
    soak(workspace, "ci", 2.0, &components, &workspace.target_directory.join("docs"))
}

fn soak(
    workspace: &Workspace,
    profile: &str,
    minutes: f64,
    components: &Path,
    docs: &Path,
) -> Result<()> {
    Step::new("soak", workspace, workspace.target_directory.join(profile).join("soak"))
        .args([minutes.to_string()])
        .args([components, docs])
        .run()
}
