//! The folder that components are put into, which a host may be serving at the same time.

use std::{
    fmt::{self, Display},
    fs::{self, File, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{artifact::Artifact, error::Error};

/// A component in its place.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) path: PathBuf,
    n_bytes: u64,
}

/// `functions/snippets.wasm (127 KB)`
impl Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_kilobytes = self.n_bytes.div_ceil(1000);
        let path = self.path.display();
        match n_kilobytes {
            0..10_000 => write!(f, "{path} ({n_kilobytes} KB)"),
            _ => write!(f, "{path} ({} MB)", n_kilobytes / 1000),
        }
    }
}

/// Copies a component into the folder, whole or not at all.
pub(super) fn put(folder: &Path, artifact: &Artifact) -> Result<Component, Error> {
    fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    let name = artifact.path.file_name().expect("cargo names a file, not a folder");
    let path = folder.join(name);
    let n_bytes = copy(&artifact.path, folder, &path).map_err(Error::file("write", &path))?;
    Ok(Component { path, n_bytes })
}

fn copy(source: &Path, folder: &Path, path: &Path) -> io::Result<u64> {
    // Not `.wasm` until it is complete: a host loads every file of that name.
    let mut temporary = tempfile::Builder::new()
        .prefix(".mcpfn-build-")
        .suffix(".partial")
        .permissions(Permissions::from_mode(0o666)) // less what the umask takes
        .tempfile_in(folder)?;
    let n_bytes = io::copy(&mut File::open(source)?, &mut temporary)?;
    temporary.persist(path)?;
    Ok(n_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_replaces_the_old_one_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("built.wasm");
        let out = folder.path().join("a/functions");
        for n_bytes in [3, 1001] {
            fs::write(&source, vec![0; n_bytes]).unwrap();
            let component = put(&out, &Artifact { path: source.clone() }).unwrap();
            assert_eq!(component.n_bytes, n_bytes as u64);
        }
        let names: Vec<_> = fs::read_dir(&out).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names, ["built.wasm"]);
        assert_eq!(fs::metadata(out.join("built.wasm")).unwrap().len(), 1001);
    }

    #[test]
    fn sizes_are_round() {
        let shown = |n_bytes| Component { path: "functions/a.wasm".into(), n_bytes }.to_string();
        assert_eq!(shown(1), "functions/a.wasm (1 KB)");
        assert_eq!(shown(126_500), "functions/a.wasm (127 KB)");
        assert_eq!(shown(12_900_000), "functions/a.wasm (12 MB)");
    }
}
