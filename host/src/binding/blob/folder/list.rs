//! The blobs of a container in the order of their names, as every other storage has it: by bytes, `/` among them.

use std::{fs, io, path::Path};

use super::{is_missing, stat_of};
use crate::{binding::segment::is_reserved, function::BlobEntry};

/// No blob has a longer name, and links that lead in circles end here.
const MAX_NAME_BYTES: usize = 4 * 1_024;

struct Wanted<'a> {
    prefix: &'a str,
    after: &'a str,
    max: usize,
}

/// At most `max` blobs whose names begin with `prefix` and come after `after`.
pub(super) fn list(
    container: &Path,
    prefix: &str,
    after: &str,
    max: usize,
) -> io::Result<Vec<BlobEntry>> {
    let mut found = Vec::new();
    walk(container, "", &Wanted { prefix, after, max }, &mut found)?;
    Ok(found)
}

fn walk(
    folder: &Path,
    base: &str,
    wanted: &Wanted<'_>,
    found: &mut Vec<BlobEntry>,
) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        // It was deleted since, or there never was one.
        Err(error) if is_missing(&error) => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut keys = Vec::new();
    for entry in entries {
        let entry = entry?;
        // No blob of ours has a name that is not UTF-8.
        let Ok(mut name) = entry.file_name().into_string() else { continue };
        if is_reserved(&name) || base.len() + name.len() > MAX_NAME_BYTES {
            continue;
        }
        // A link is what it leads to.
        let kind = entry.file_type()?;
        if kind.is_dir() || (kind.is_symlink() && entry.path().is_dir()) {
            name.push('/');
        }
        keys.push(format!("{base}{name}"));
    }
    keys.sort_unstable();
    for key in keys {
        if found.len() == wanted.max {
            break;
        }
        let path = folder.join(&key[base.len()..]);
        if key.ends_with('/') {
            let leads_to_prefix = key.starts_with(wanted.prefix) || wanted.prefix.starts_with(&key);
            let is_over = *key < *wanted.after && !wanted.after.starts_with(&key);
            if leads_to_prefix && !is_over {
                walk(&path, &key, wanted, found)?;
            }
        } else if key.starts_with(wanted.prefix) && *key > *wanted.after {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => found.push(stat_of(&metadata).named(key)),
                Ok(_) => {}
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}
