//! The key of the user by which entries are told from what others wrote.

use std::{io, path::Path};

use crate::local_key;

const FILE: &str = "cache.key";

/// What the MACs of entries are made with.
pub(super) struct Key([u8; local_key::LEN]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

impl Key {
    /// Reads the key of a folder; whoever comes first makes it.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        local_key::open(folder, FILE).map(Self)
    }

    /// The MAC of an entry. Its name is part of it, so that one entry cannot be passed off as another.
    pub(super) fn mac(&self, name: &str, body: &[u8]) -> blake3::Hash {
        let mut mac = blake3::Hasher::new_keyed(&self.0);
        mac.update(name.as_bytes()).update(body);
        mac.finalize()
    }
}
