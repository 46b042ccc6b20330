//! The key of the user by which entries are told from what others wrote, and folders that are the user's alone.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::Path,
};

const FILE: &str = "cache.key";
const LEN: usize = 32;

/// What the MACs of entries are made with.
pub(super) struct Key([u8; LEN]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

impl Key {
    /// Reads the key of a folder; whoever comes first makes it.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        make_private(folder)?;
        read_or_make(&folder.join(FILE)).map(Self)
    }

    /// The MAC of an entry. Its name is part of it, so that one entry cannot be passed off as another.
    pub(super) fn mac(&self, name: &str, body: &[u8]) -> blake3::Hash {
        let mut mac = blake3::Hasher::new_keyed(&self.0);
        mac.update(name.as_bytes()).update(body);
        mac.finalize()
    }
}

/// Makes a folder that is this user's alone, or finds that it is.
pub(super) fn make_private(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let metadata = fs::symlink_metadata(folder)?;
    let fault = if !metadata.is_dir() {
        "is a link"
    } else if metadata.mode() & 0o077 != 0 {
        "can be read or written by others (expected mode 0700)"
    } else if metadata.uid() != rustix::process::geteuid().as_raw() {
        "belongs to another user"
    } else {
        return Ok(());
    };
    Err(io::Error::other(format!("`{}` {fault}", folder.display())))
}

fn read_or_make(path: &Path) -> io::Result<[u8; LEN]> {
    if let Ok(key) = fs::read(path)
        && let Ok(key) = key.try_into()
    {
        return Ok(key);
    }
    let mut key = [0; LEN];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let temporary =
        folder.join(format!("{FILE}.{:08x}", u32::from_ne_bytes([key[0], key[1], key[2], key[3]])));
    let mut file =
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(&key)?;
    // A link fails when another host was first, where a rename would replace its key.
    let linked = fs::hard_link(&temporary, path);
    fs::remove_file(&temporary)?;
    match linked {
        Ok(()) => Ok(key),
        Err(_) => match fs::read(path)?.try_into() {
            Ok(key) => Ok(key),
            Err(_) => Err(io::Error::other(format!("`{FILE}` in it is damaged (remove it)"))),
        },
    }
}
