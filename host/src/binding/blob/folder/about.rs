//! What is said about a blob beside its content: a file of the same name in a folder apart, which lists hide.
//!
//! It names the version that it is about, so that one that a killed host or another program left is not taken for that
//! of a newer file.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{
    is_missing,
    write::{create_folders, staged},
};
use crate::binding::{
    blob::store::{About, Stat},
    segment::{ABOUT, STAGING},
};

/// What is said about a file of this version: what its name says, if nothing else does.
pub(super) fn read(container: &Path, name: &str, stat: &Stat) -> About {
    let path = path(container, name);
    let parsed = || -> Option<About> {
        let value: Value = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        if value["etag"].as_str() != stat.etag.as_deref() {
            return None;
        }
        let metadata = value["metadata"].as_object()?.iter();
        Some(About {
            content_type: value["contentType"].as_str().map(str::to_owned),
            metadata: metadata
                .map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
                .collect::<Option<_>>()?,
        })
    };
    parsed().unwrap_or_else(|| About::of_name(name))
}

/// Says it, before the file of that version is there.
pub(super) fn write(container: &Path, name: &str, about: &About, version: &Stat) -> io::Result<()> {
    let path = path(container, name);
    if *about == About::of_name(name) {
        // What is there is about another version.
        return remove(container, name);
    }
    let metadata: Map<_, _> =
        about.metadata.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let text = json!({
        "etag": version.etag,
        "contentType": about.content_type,
        "metadata": metadata,
    });
    let parent = path.parent().expect("it is in a folder of the container");
    create_folders(parent)?;
    let mut file = staged(&container.join(STAGING))?;
    file.write_all(text.to_string().as_bytes())?;
    file.persist(path)?;
    Ok(())
}

/// Says nothing any longer.
pub(super) fn remove(container: &Path, name: &str) -> io::Result<()> {
    let path = path(container, name);
    match fs::remove_file(&path) {
        Err(error) if is_missing(&error) || path.is_dir() => Ok(()),
        done => done,
    }
}

fn path(container: &Path, name: &str) -> PathBuf {
    container.join(ABOUT).join(name)
}
