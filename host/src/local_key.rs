//! Secret keys that belong to the user of this machine, and folders that are the user's alone.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::Path,
};

/// Bytes of a key.
pub(crate) const LEN: usize = 32;

/// Reads a key of a folder; whoever comes first makes it.
pub(crate) fn open(folder: &Path, file: &str) -> io::Result<[u8; LEN]> {
    make_private(folder)?;
    read_or_make(folder, file)
}

/// Makes a folder that is this user's alone, or finds that it is.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
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

fn read_or_make(folder: &Path, file_name: &str) -> io::Result<[u8; LEN]> {
    let path = folder.join(file_name);
    if let Ok(key) = fs::read(&path)
        && let Ok(key) = key.try_into()
    {
        return Ok(key);
    }
    let mut key = [0; LEN];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    let suffix = u32::from_ne_bytes([key[0], key[1], key[2], key[3]]);
    let temporary = folder.join(format!("{file_name}.{suffix:08x}"));
    let mut file =
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(&key)?;
    // A link fails when another host was first, where a rename would replace its key.
    let linked = fs::hard_link(&temporary, &path);
    fs::remove_file(&temporary)?;
    match linked {
        Ok(()) => Ok(key),
        Err(_) => match fs::read(&path)?.try_into() {
            Ok(key) => Ok(key),
            Err(_) => Err(io::Error::other(format!("`{file_name}` in it is damaged (remove it)"))),
        },
    }
}
