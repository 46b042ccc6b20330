//! A toolchain for the target from Debian's packages, for machines that Rust's release server does
//! not reach.
//!
//! Debian keeps a recent rustc for its browsers, the source of the same version, and a C library
//! for WASI. From these the standard library is built for the target, with the cargo and the
//! linker of rustup's own toolchain. Nothing is installed, and no right of root is needed.

mod packages;
mod sysroot;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use super::{process::Failure, rustup, toolchain::Toolchain};

/// The last file to be written: what it stands in is complete. Its first line is the toolchain's
/// id, the rest what its `rustc -vV` printed.
const STAMP: &str = "mcpfn-complete";

/// The toolchain, if it has been made and still works.
pub(super) fn ready(data_folder: &Path) -> Option<Toolchain> {
    let folder = folder(data_folder);
    let stamp = fs::read_to_string(folder.join(STAMP)).ok()?;
    let (id, version) = stamp.split_once('\n')?;
    // Fails where the system's libraries have changed under it.
    if sysroot::version(&folder).ok()? != version || !sysroot::has_std(&folder) {
        return None;
    }
    if !sysroot::has_programs(&folder) {
        // Rustup's toolchain was updated or removed: what we borrow is elsewhere now.
        sysroot::borrow_programs(&folder).ok()?;
        sysroot::try_out(&folder).ok()?;
    }
    rustup::link(&folder).ok()?;
    Some(Toolchain::Linked { id: id.to_owned() })
}

/// Makes the toolchain, in about two minutes. The caller holds the lock of the data folder.
pub(super) fn make(data_folder: &Path) -> Result<Toolchain, Failure> {
    // Always the same place, since the names of the libraries follow from it: another name for the
    // same library would send every project that was built before into E0463.
    let work = data_folder.join("guest-toolchain.partial");
    remove(&work)?;
    let packages = packages::fetch(&work)?;
    let made = work.join("toolchain");
    sysroot::lay_out(&packages, &made)?;
    sysroot::build_std(&packages, &made, &work.join("target"))?;
    sysroot::try_out(&made)?;

    let version = sysroot::version(&made)?;
    let made_at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let id = made_at.as_millis().to_string();
    fs::write(made.join(STAMP), format!("{id}\n{version}")).map_err(at(&made))?;

    let folder = folder(data_folder);
    remove(&folder)?;
    fs::rename(&made, &folder).map_err(at(&folder))?;
    remove(&work)?;
    rustup::link(&folder)?;
    Ok(Toolchain::Linked { id })
}

fn folder(data_folder: &Path) -> PathBuf {
    data_folder.join("guest-toolchain")
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(folder)(error)),
        _ => Ok(()),
    }
}

/// Names the file in what the operating system says.
fn at(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let path = path.display().to_string();
    move |error| Failure::new(path, error.to_string())
}
