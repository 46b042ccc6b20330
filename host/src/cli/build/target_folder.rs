//! What cargo has built for the target before, perhaps against another standard library.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

use super::{TARGET, error::Error, lock, toolchain::Toolchain};

/// Clears what was built against another standard library, and keeps other builds out until the
/// returned lock is dropped.
///
/// Cargo tells compilers apart by what `rustc -vV` prints, so it does not notice that the standard
/// library under the same compiler is another one; the next build then fails with E0463.
pub(super) fn prepare(
    target_directory: &Path,
    toolchain: &Toolchain,
    out: &mut dyn Write,
) -> Result<File, Error> {
    let lock = lock::acquire(&target_directory.join(".mcpfn-build.lock"), out)?;
    let stamp = target_directory.join(format!(".mcpfn-{TARGET}"));
    // Without a stamp, only the user's own cargo has been here, with the active toolchain.
    let built_with = match fs::read_to_string(&stamp) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Toolchain::Active.stamp(),
        Err(error) => return Err(Error::file("read", stamp)(error)),
    };
    if built_with != toolchain.stamp() {
        let folder = target_directory.join(TARGET);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::file("remove", folder)(error));
            }
            _ => {}
        }
    }
    fs::write(&stamp, toolchain.stamp()).map_err(Error::file("write", stamp))?;
    Ok(lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_standard_library_clears_the_folder() {
        let target = tempfile::tempdir().unwrap();
        let built = target.path().join(TARGET).join("release");
        let survives = |toolchain: &Toolchain| {
            fs::create_dir_all(&built).unwrap();
            drop(prepare(target.path(), toolchain, &mut Vec::new()).unwrap());
            built.exists()
        };
        let linked = |id: &str| Toolchain::Linked { id: id.to_owned() };
        assert!(survives(&Toolchain::Active));
        assert!(!survives(&linked("1")));
        assert!(survives(&linked("1")));
        assert!(!survives(&linked("2")));
        assert!(!survives(&Toolchain::Active));
    }
}
