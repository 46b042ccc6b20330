//! The cargo project that is built: where it is, its packages, and which of them are meant.

use std::{
    path::{Path, PathBuf},
    process::{Output, Stdio},
};

use serde_json::Value;

use super::{error::Error, process};

/// A cargo workspace, or a package on its own.
#[derive(Debug)]
pub(super) struct Project {
    /// The Cargo.toml that the user is at.
    pub(super) manifest_path: PathBuf,
    /// Where cargo puts what it builds.
    pub(super) target_directory: PathBuf,
    packages: Vec<Package>,
    default_members: Vec<String>,
}

/// A member of the workspace.
#[derive(Debug)]
pub(super) struct Package {
    /// The name in its Cargo.toml.
    pub(super) name: String,
    /// How cargo's messages name it.
    pub(super) id: String,
    manifest_path: PathBuf,
    /// Whether it has a `cdylib`, as every guest library does.
    is_cdylib: bool,
}

impl Project {
    /// Asks cargo for the project at a Cargo.toml, or for the one that this folder belongs to.
    ///
    /// The toolchain does not matter here, so it can be chosen afterwards.
    pub(super) fn load(manifest_path: Option<&Path>) -> Result<Self, Error> {
        let manifest_path = match manifest_path {
            Some(path) => std::path::absolute(path).map_err(Error::file("find", path))?,
            None => locate()?,
        };
        let output = process::command("cargo")
            .args(["metadata", "--quiet", "--no-deps", "--format-version=1", "--manifest-path"])
            .arg(&manifest_path)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|source| Error::Program { program: "cargo".into(), source })?;
        Self::from_output(manifest_path, &output)
    }

    fn from_output(manifest_path: PathBuf, output: &Output) -> Result<Self, Error> {
        let Output { status, stdout, .. } = output;
        if !status.success() {
            return Err(Error::Project { status: *status });
        }
        Self::parse(manifest_path, stdout).ok_or(Error::Metadata)
    }

    fn parse(manifest_path: PathBuf, metadata: &[u8]) -> Option<Self> {
        let metadata: Value = serde_json::from_slice(metadata).ok()?;
        let packages = metadata["packages"].as_array()?.iter().map(Package::parse);
        let default_members = metadata["workspace_default_members"].as_array();
        Some(Self {
            manifest_path,
            target_directory: metadata["target_directory"].as_str()?.into(),
            packages: packages.collect::<Option<_>>()?,
            // Not told by cargo before 1.71: then every member is.
            default_members: default_members
                .unwrap_or(metadata["workspace_members"].as_array()?)
                .iter()
                .filter_map(|id| id.as_str().map(str::to_owned))
                .collect(),
        })
    }

    /// The packages of the given names, in that order.
    ///
    /// Without a name: the package whose Cargo.toml this is; at the root of a workspace, those of
    /// its default members that are `cdylib`s, since a host or a tool beside them is no guest.
    pub(super) fn select(&self, names: &[String]) -> Result<Vec<&Package>, Error> {
        if !names.is_empty() {
            return names.iter().map(|name| self.named(name)).collect();
        }
        if let Some(package) = self.packages.iter().find(|it| it.is_at(&self.manifest_path)) {
            return Ok(vec![package]);
        }
        let members = || self.packages.iter().filter(|it| self.default_members.contains(&it.id));
        let guests: Vec<_> = members().filter(|package| package.is_cdylib).collect();
        if guests.is_empty() {
            let packages = members().map(|package| package.name.clone()).collect();
            return Err(Error::NoComponent { packages });
        }
        Ok(guests)
    }

    fn named(&self, name: &str) -> Result<&Package, Error> {
        self.packages.iter().find(|package| package.name == name).ok_or_else(|| {
            let known = self.packages.iter().map(|package| package.name.clone()).collect();
            Error::UnknownPackage { name: name.to_owned(), known }
        })
    }
}

impl Package {
    fn parse(package: &Value) -> Option<Self> {
        let targets = package["targets"].as_array()?;
        let mut kinds = targets.iter().filter_map(|target| target["kind"].as_array()).flatten();
        Some(Self {
            name: package["name"].as_str()?.to_owned(),
            id: package["id"].as_str()?.to_owned(),
            manifest_path: package["manifest_path"].as_str()?.into(),
            is_cdylib: kinds.any(|kind| kind == "cdylib"),
        })
    }

    fn is_at(&self, manifest_path: &Path) -> bool {
        // Cargo resolves symbolic links in one of the two, depending on how it was started.
        let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.manifest_path == manifest_path
            || resolved(&self.manifest_path) == resolved(manifest_path)
    }
}

/// The nearest Cargo.toml in this folder or above it.
fn locate() -> Result<PathBuf, Error> {
    let here = std::env::current_dir().map_err(Error::file("find", "."))?;
    let found = here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|it| it.is_file());
    found.ok_or(Error::NoProject)
}

#[cfg(test)]
mod tests {
    use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

    use serde_json::json;

    use super::*;

    fn package(name: &str, kind: &str) -> Value {
        json!({
            "name": name, "id": format!("id-of-{name}"), "manifest_path": format!("/w/{name}/Cargo.toml"),
            "targets": [{ "kind": [kind] }, { "kind": ["test"] }],
        })
    }

    fn check(manifest_path: &str, names: &[&str], expected: Result<&[&str], &str>) {
        let metadata = json!({
            "target_directory": "/w/target",
            "packages": [package("host", "bin"), package("a", "cdylib"), package("b", "cdylib"), package("c", "cdylib")],
            "workspace_members": ["id-of-host", "id-of-a", "id-of-b", "id-of-c"],
            "workspace_default_members": ["id-of-host", "id-of-a", "id-of-b"],
        });
        let project =
            Project::parse(manifest_path.into(), metadata.to_string().as_bytes()).unwrap();
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let selected = project.select(&names).map_err(|error| error.to_string());
        let selected = selected.map(|it| it.iter().map(|it| &*it.name).collect::<Vec<_>>());
        assert_eq!(selected.as_deref().map_err(|error| &**error), expected);
    }

    fn refused(wait_status: i32, stdout: &str) -> String {
        let status = ExitStatus::from_raw(wait_status);
        let output = Output { status, stdout: stdout.into(), stderr: Vec::new() };
        Project::from_output("/w/Cargo.toml".into(), &output).unwrap_err().to_string()
    }

    #[test]
    fn a_project_that_cargo_refuses_is_told_by_its_status() {
        let expected = "cargo cannot read the project (exit status: 101); its errors are above";
        for stdout in ["", "{}"] {
            assert_eq!(refused(101 << 8, stdout), expected);
        }
    }

    #[test]
    fn metadata_of_another_shape_is_not_blamed_on_the_project() {
        for stdout in ["", "warning: no JSON", "{}"] {
            let error = refused(0, stdout);
            assert!(error.starts_with("cargo has read the project, but "), "{error}");
        }
    }

    #[test]
    fn the_package_of_the_manifest_is_built() {
        check("/w/a/Cargo.toml", &[], Ok(&["a"]));
        check("/w/host/Cargo.toml", &[], Ok(&["host"]));
    }

    #[test]
    fn at_the_root_the_default_guests_are_built() {
        check("/w/Cargo.toml", &[], Ok(&["a", "b"]));
    }

    #[test]
    fn named_packages_are_built_in_the_order_given() {
        check("/w/Cargo.toml", &["c", "a"], Ok(&["c", "a"]));
    }

    #[test]
    fn an_unknown_package_is_an_error_that_lists_the_known() {
        let expected = "no package `d` in this workspace (it has `host`, `a`, `b`, `c`)";
        check("/w/Cargo.toml", &["a", "d"], Err(expected));
    }
}
