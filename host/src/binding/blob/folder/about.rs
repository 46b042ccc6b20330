//! What is said about a blob beside its content: a file for each version, in a folder apart, which lists hide.
//!
//! Its name is a hash of the blob's name and version, so that it needs no folders, and that what is said of a new
//! version does not replace what is said of the one that is still there. It is written before the new version is put in
//! place, and that of the old version goes once the new one is on disk: whenever a host is killed, each version has its
//! own. One that is about no version that is there, left by a host that was killed or by another program that wrote, is
//! never read, and goes when it is swept.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    files::{create_folders, is_abandoned, is_missing, staged, sync_folder},
    stat,
};
use crate::binding::{
    blob::store::{About, Stat},
    segment::{ABOUT, STAGING},
};

/// What is said about this version. None: nothing but what its name says.
pub(super) fn read(container: &Path, name: &str, version: &Stat) -> Option<About> {
    let value = value_of(&path(container, name, version))?;
    if !is_about(&value, name, version) {
        return None;
    }
    let metadata = value["metadata"].as_object()?.iter();
    Some(About {
        content_type: value["contentType"].as_str().map(str::to_owned),
        metadata: metadata
            .map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect::<Option<_>>()?,
    })
}

/// Says it, before that version is there. Returns once the disk has it.
pub(super) fn write(container: &Path, name: &str, about: &About, version: &Stat) -> io::Result<()> {
    if *about == About::of_name(name) {
        return Ok(());
    }
    let metadata: Map<_, _> =
        about.metadata.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let text = json!({
        "name": name,
        "etag": version.etag,
        "contentType": about.content_type,
        "metadata": metadata,
    });
    let folder = container.join(ABOUT);
    create_folders(&folder)?;
    let mut file = staged(&container.join(STAGING))?;
    file.write_all(text.to_string().as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path(container, name, version))?;
    sync_folder(&folder)
}

/// Says nothing any longer about a version that is not there.
pub(super) fn remove(container: &Path, name: &str, version: &Stat) {
    // The blob is what the caller asked for; a file that stays is not read, and swept one day.
    let _ = fs::remove_file(path(container, name, version));
}

/// Removes what is about versions that are not there, unless they may be about to be.
pub(super) fn sweep(container: &Path) {
    for entry in fs::read_dir(container.join(ABOUT)).into_iter().flatten().flatten() {
        if is_abandoned(&entry) && is_left(container, &entry.path()) {
            // Another host may have been faster.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file is ours, and about a version that is not there.
fn is_left(container: &Path, path: &Path) -> bool {
    let Some(value) = value_of(path) else { return false };
    let Some(name) = value["name"].as_str() else { return false };
    match stat(&container.join(name)) {
        Ok(Some(version)) => !is_about(&value, name, &version),
        Ok(None) => true,
        Err(error) => is_missing(&error),
    }
}

fn is_about(value: &Value, name: &str, version: &Stat) -> bool {
    value["name"].as_str() == Some(name) && value["etag"].as_str() == version.etag.as_deref()
}

fn value_of(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn path(container: &Path, name: &str, version: &Stat) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    // Neither has a NUL in it.
    hasher.update(name.as_bytes()).update(b"\0");
    hasher.update(version.etag.as_deref().unwrap_or_default().as_bytes());
    container.join(ABOUT).join(hasher.finalize().to_hex().as_str())
}
