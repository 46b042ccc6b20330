//! Debian's packages, downloaded and unpacked into a folder of ours. The system's own lists and
//! its installed packages are read, not changed.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{
    super::process::{self, Failure},
    at,
};

/// The compiler, kept current for browsers; its source; the C library of the target.
const NAMES: [&str; 3] = ["rustc-web", "rust-web-src", "wasi-libc"];

/// Downloads and unpacks the packages; returns what would be `/usr`.
pub(super) fn fetch(work: &Path) -> Result<PathBuf, Failure> {
    let archives = download(&work.join("apt"))?;
    let root = work.join("root");
    fs::create_dir_all(&root).map_err(at(&root))?;
    for entry in fs::read_dir(&archives).map_err(at(&archives))? {
        let archive = entry.map_err(at(&archives))?.path();
        if archive.extension().is_some_and(|extension| extension == "deb") {
            unpack(&archive, &root)?;
        }
    }
    Ok(root.join("usr"))
}

/// Downloads the packages and what they depend on that is not installed here.
fn download(folder: &Path) -> Result<PathBuf, Failure> {
    let archives = folder.join("cache/archives");
    for folder in [folder.join("state/lists/partial"), archives.join("partial")] {
        fs::create_dir_all(&folder).map_err(at(&folder))?;
    }
    // One source of many may be out of reach; only what follows tells whether it was needed.
    let updated = process::output(apt_get(folder).arg("update"));
    let mut install = apt_get(folder);
    install.args(["install", "--yes", "--download-only", "--no-install-recommends"]);
    // Downloads what is installed already, too.
    install.arg("--reinstall").args(NAMES);
    match (process::output(&mut install), updated) {
        (Ok(_), _) => Ok(archives),
        (Err(_), Err(failure)) | (Err(failure), Ok(_)) => Err(failure),
    }
}

/// `apt-get` with lists and archives of its own, which therefore needs neither root nor a lock.
fn apt_get(folder: &Path) -> Command {
    let option = |name: &str, folder: PathBuf| {
        let mut option = OsString::from(format!("{name}="));
        option.push(folder);
        option
    };
    let mut command = process::command("apt-get");
    command
        .env("LC_ALL", "C")
        .arg("-qq")
        .arg("-o")
        .arg(option("Dir::State", folder.join("state")))
        .arg("-o")
        .arg(option("Dir::Cache", folder.join("cache")))
        .args(["-o", "Dir::State::status=/var/lib/dpkg/status"])
        .args(["-o", "Debug::NoLocking=true"])
        // As root, apt would download as a user who cannot write here.
        .args(["-o", "APT::Sandbox::User=root"]);
    command
}

fn unpack(archive: &Path, root: &Path) -> Result<(), Failure> {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    if !name.starts_with("rust-web-src_") {
        return process::output(process::command("dpkg").arg("-x").arg(archive).arg(root))
            .map(drop);
    }
    // The source of the standard library, not the fifty times larger one of the compiler.
    let failed = |error: std::io::Error| Failure::new("dpkg", error.to_string());
    let mut dpkg = process::command("dpkg")
        .arg("--fsys-tarfile")
        .arg(archive)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let tar = dpkg.stdout.take().expect("stdout was asked for above");
    let mut unpack = process::command("tar");
    unpack.arg("-x").arg("-C").arg(root).args(["--wildcards", "./usr/src/rustc-*/library"]);
    let unpacked = process::output(unpack.stdin(tar));
    let status = dpkg.wait().map_err(failed)?;
    unpacked?;
    if !status.success() {
        return Err(Failure::new("dpkg", format!("{name}: {status}")));
    }
    Ok(())
}
