//! What rustup and the toolchains that it manages can tell and do.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    TARGET,
    process::{self, Failure},
};

/// The name under which rustup knows the toolchain that we make.
pub(super) const LINKED: &str = "mcpfn-guest";

/// The release server may be out of reach in a way that never answers.
const ADD_TARGET_LIMIT: Duration = Duration::from_mins(2);

/// Whether the active toolchain has the target's standard library.
pub(super) fn has_target() -> bool {
    let mut rustc = process::command("rustc");
    rustc.args(["--print", "target-libdir", "--target", TARGET]);
    // The folder is named even where it is not there, so its content decides.
    process::output(&mut rustc).is_ok_and(|folder| has_std(Path::new(folder.trim())))
}

/// Whether a folder of libraries holds the standard library.
pub(super) fn has_std(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    names
        .filter_map(|name| name.into_string().ok())
        .any(|name| name.starts_with("libstd-") && is_rlib(&name))
}

/// Whether a file of this name is a Rust library.
pub(super) fn is_rlib(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "rlib")
}

/// Adds the target to the active toolchain.
pub(super) fn add_target() -> Result<(), Failure> {
    let mut rustup = process::command("rustup");
    rustup.args(["target", "add", TARGET]);
    process::run_within(ADD_TARGET_LIMIT, &mut rustup)?;
    if !has_target() {
        // A rustc that is not rustup's comes first on PATH.
        return Err(Failure::new(
            "rustup",
            format!("added {TARGET}, but `rustc` does not find it"),
        ));
    }
    Ok(())
}

/// The folder of the toolchain that is active where no project chooses another.
pub(super) fn default_sysroot() -> Result<PathBuf, Failure> {
    let mut rustc = process::command("rustc");
    // A folder without a toolchain file, so that the toolchain of one project is not taken.
    rustc.args(["--print", "sysroot"]).current_dir("/");
    Ok(process::output(&mut rustc)?.trim().into())
}

/// Makes a folder known to rustup as [`LINKED`]; nothing is done where it already is.
pub(super) fn link(folder: &Path) -> Result<(), Failure> {
    let mut rustc = process::command("rustup");
    rustc.args(["run", LINKED, "rustc", "--print", "sysroot"]);
    if process::output(&mut rustc).is_ok_and(|sysroot| Path::new(sysroot.trim()) == folder) {
        return Ok(());
    }
    let mut rustup = process::command("rustup");
    process::output(rustup.args(["toolchain", "link", LINKED]).arg(folder)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_other_libraries_has_no_std() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!has_std(&folder.path().join("nowhere")));
        fs::write(folder.path().join("libcore-1234.rlib"), "").unwrap();
        fs::write(folder.path().join("libstd-1234.so"), "").unwrap();
        assert!(!has_std(folder.path()));
        fs::write(folder.path().join("libstd-1234.rlib"), "").unwrap();
        assert!(has_std(folder.path()));
    }
}
