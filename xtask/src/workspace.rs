//! This repository as cargo sees it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Where things are, and which packages are guests.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// `target`, or where `CARGO_TARGET_DIR` or cargo's configuration has it.
    pub(crate) target_directory: PathBuf,
    packages: Vec<(String, PathBuf)>,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load() -> Result<Self> {
        // As cargo says it to the program that it runs, and not as it was when that was compiled: two clones
        // that share a target folder share the program.
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").context("run it as `cargo xtask`")?;
        let manifest_path = Path::new(&folder).join("../Cargo.toml");
        let output = Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version=1", "--manifest-path"])
            .arg(manifest_path)
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run `cargo`")?;
        ensure!(output.status.success(), "`cargo metadata` failed ({})", output.status);
        Self::parse(&output.stdout).context("`cargo metadata` makes no sense")
    }

    fn parse(metadata: &[u8]) -> Option<Self> {
        let metadata: Value = serde_json::from_slice(metadata).ok()?;
        let package = |package: &Value| {
            let manifest_path = Path::new(package["manifest_path"].as_str()?);
            Some((package["name"].as_str()?.to_owned(), manifest_path.parent()?.to_owned()))
        };
        Some(Self {
            root: metadata["workspace_root"].as_str()?.into(),
            target_directory: metadata["target_directory"].as_str()?.into(),
            packages: metadata["packages"]
                .as_array()?
                .iter()
                .map(package)
                .collect::<Option<_>>()?,
        })
    }

    /// The names of the packages in a folder of the repository.
    pub(crate) fn packages_in(&self, folder: &str) -> Vec<&str> {
        let folder = self.root.join(folder);
        let packages = self.packages.iter().filter(|(_, path)| path.starts_with(&folder));
        packages.map(|(name, _)| &**name).collect()
    }

    /// The program `mcpfn` as built with a profile: short where it is in the repository, since
    /// the commands that it prints begin with it.
    pub(crate) fn mcpfn(&self, profile: &str) -> PathBuf {
        let program = self.target_directory.join(profile).join("mcpfn");
        program.strip_prefix(&self.root).map(Path::to_owned).unwrap_or(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(target_directory: &str) -> Workspace {
        let package = |name: &str, folder: &str| serde_json::json!({ "name": name, "manifest_path": format!("/r/{folder}/Cargo.toml") });
        let metadata = serde_json::json!({
            "workspace_root": "/r",
            "target_directory": target_directory,
            "packages": [
                package("mcpfn", "host"),
                package("snippets", "samples/snippets"),
                package("greeting", "samples/greeting"),
                package("programs", "tests/programs"),
            ],
        });
        Workspace::parse(metadata.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn guests_are_told_by_their_folder() {
        let workspace = workspace("/r/target");
        assert_eq!(workspace.packages_in("samples"), ["snippets", "greeting"]);
        assert_eq!(workspace.packages_in("tests/programs"), ["programs"]);
    }

    #[test]
    fn the_program_is_named_from_the_root_where_it_is_below_it() {
        assert_eq!(workspace("/r/target").mcpfn("release"), Path::new("target/release/mcpfn"));
        assert_eq!(workspace("/cache").mcpfn("ci"), Path::new("/cache/ci/mcpfn"));
    }
}
