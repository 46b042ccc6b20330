//! The folder of components: which files there are, whether one changed, and whether it still changes.

use std::{
    fs::{self, File, Metadata},
    io::{self, ErrorKind, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::LoadError;
use crate::function::ComponentName;

/// Largest component; one with a whole Python in it has 20 MiB.
const MAX_COMPONENT: u64 = 512 << 20;

/// One file that should be a component.
#[derive(Clone, Debug)]
pub(super) struct ComponentFile {
    pub(super) path: PathBuf,
    pub(super) name: Arc<ComponentName>,
}

/// What tells that a file was not written to since, without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    file: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// The components of a folder, in the order of their names, so that every start and every replica does
/// the same.
pub(super) fn list(folder: &Path) -> Result<Vec<ComponentFile>, LoadError> {
    let wrap = |source| LoadError::Folder { path: folder.to_owned(), source };
    let shown = Path::new(folder.file_name().unwrap_or_default());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrap)? {
        let file = entry.map_err(wrap)?.file_name();
        let hidden = file.as_encoded_bytes().starts_with(b".");
        let is_wasm = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("wasm");
        if !hidden && Path::new(&file).extension().is_some_and(is_wasm) {
            let name = Arc::new(ComponentName(shown.join(&file).display().to_string()));
            files.push(ComponentFile { path: folder.join(&file), name });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

impl ComponentFile {
    /// How the file is now.
    pub(super) fn stamp(&self) -> io::Result<Stamp> {
        Stamp::of(&fs::metadata(&self.path)?)
    }

    /// Whether somebody wrote to the file less than this long ago.
    pub(super) fn is_fresh(&self, quiet: Duration) -> bool {
        let modified = fs::metadata(&self.path).and_then(|metadata| metadata.modified());
        // A time to come says nothing: files are unpacked with any time there is.
        modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age < quiet))
    }

    /// Its bytes, if it is and stays as `stamp` says. None: it changes.
    pub(super) fn read(&self, stamp: Stamp) -> io::Result<Option<Vec<u8>>> {
        let mut file = File::open(&self.path)?;
        let mut bytes = Vec::with_capacity(usize::try_from(stamp.size).unwrap_or_default());
        // One byte more than there should be: a file that grows is found out without reading all of it.
        (&mut file).take(stamp.size + 1).read_to_end(&mut bytes)?;
        let whole = bytes.len() as u64 == stamp.size
            && Stamp::of(&file.metadata()?)? == stamp
            && self.stamp().is_ok_and(|now| now == stamp);
        Ok(whole.then_some(bytes))
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> io::Result<Self> {
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        if metadata.len() > MAX_COMPONENT {
            let limit = MAX_COMPONENT >> 20;
            return Err(io::Error::new(
                ErrorKind::FileTooLarge,
                format!("it is larger than {limit} MiB"),
            ));
        }
        Ok(Self {
            file: (metadata.dev(), metadata.ino()),
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }
}
