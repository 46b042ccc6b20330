//! The extension `io.modelcontextprotocol/skills` (SEP-2640), for both eras: `skills/list`, `skills/get` and
//! `resources/directory/read`. The files themselves are read like any resource.

#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{
    error::ProtocolError,
    framed::Framed,
    listing::{Item, Listing, PAGE},
    modern::envelope::{SHARED, ServerMeta},
    raw,
    revision::Era,
};
use crate::function::{Catalog, Skill};

/// The name of the extension.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// The media type of a directory.
const DIRECTORY: &str = "inode/directory";

/// What is said of skills, written down.
#[derive(Debug)]
pub(super) struct Skills {
    list: Listing,
    entries: HashMap<String, Box<RawValue>>,
    directories: HashMap<String, Listing>,
    server: ServerMeta,
}

/// An entry of `skills/list`.
#[derive(Serialize)]
struct Entry<'a> {
    uri: &'a str,
    frontmatter: &'a RawValue,
    resources: Vec<FileEntry<'a>>,
}

#[derive(Serialize)]
struct FileEntry<'a> {
    uri: &'a str,
    digest: String,
    size: usize,
}

/// What is in a directory.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Child {
    uri: String,
    name: String,
    mime_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<usize>,
}

/// The members of the result of `skills/get`.
#[derive(Serialize)]
struct SkillResult<'a> {
    skill: &'a RawValue,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    uri: Option<&'a RawValue>,
}

impl Skills {
    pub(super) fn new(catalog: &Catalog, server: &ServerMeta) -> Self {
        let entries: HashMap<String, Box<RawValue>> = catalog
            .skills()
            .iter()
            .map(|skill| (skill.manifest().uri.clone(), entry(skill)))
            .collect();
        let items = || entries.iter().map(|(uri, entry)| Item::new(uri, entry)).collect();
        let list = Listing::new("skills", items, server, PAGE);
        let mut directories = HashMap::new();
        for (uri, children) in catalog.skills().iter().flat_map(|skill| self::directories(skill)) {
            let items = || children.values().map(|child| Item::new(&child.uri, child)).collect();
            directories.insert(uri, Listing::new("resources", items, server, PAGE));
        }
        Self { list, entries, directories, server: server.clone() }
    }

    /// Whether clients would see no difference.
    pub(super) fn same_list(&self, other: &Self) -> bool {
        self.list.is_same(&other.list)
    }

    /// The result of `skills/list`.
    pub(super) fn list(&self, era: Era, params: &str) -> Result<Cow<'_, RawValue>, ProtocolError> {
        self.list.page(era, params)
    }

    /// The result of `skills/get`.
    pub(super) fn get(&self, era: Era, params: &str) -> Result<Box<RawValue>, ProtocolError> {
        let uri = uri(params)?;
        let skill = self.entries.get(uri.as_ref());
        let skill = skill.ok_or_else(|| ProtocolError::Skill(uri.to_string()))?;
        let result = Framed::cached(era, SkillResult { skill }, SHARED, &self.server);
        Ok(to_raw_value(&result).expect("a result has a JSON text"))
    }

    /// The result of `resources/directory/read`.
    pub(super) fn directory(
        &self,
        era: Era,
        params: &str,
    ) -> Result<Cow<'_, RawValue>, ProtocolError> {
        let uri = uri(params)?;
        let found = self.directories.get(uri.strip_suffix('/').unwrap_or(&uri));
        let directory = found.ok_or_else(|| ProtocolError::Directory(uri.to_string()))?;
        directory.page(era, params)
    }
}

fn uri(params: &str) -> Result<Cow<'_, str>, ProtocolError> {
    let Some(Params { uri }) = raw::object(params) else {
        return Err(ProtocolError::Params("`uri` comes twice"));
    };
    uri.and_then(raw::string).ok_or(ProtocolError::Params("`uri` must be a string"))
}

fn entry(skill: &Skill) -> Box<RawValue> {
    let resources = skill.files.iter().map(|file| FileEntry {
        uri: &file.uri,
        digest: format!("sha256:{}", file.sha256),
        size: file.content.len(),
    });
    let entry = Entry {
        uri: &skill.manifest().uri,
        frontmatter: &skill.frontmatter,
        resources: resources.collect(),
    };
    to_raw_value(&entry).expect("an entry has a JSON text")
}

/// Every directory of a skill by its URI, and what is directly in it.
fn directories(skill: &Skill) -> BTreeMap<String, BTreeMap<String, Child>> {
    let mut directories: BTreeMap<String, BTreeMap<String, Child>> = BTreeMap::new();
    for file in &skill.files {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        let mut child = Child {
            uri: file.uri.clone(),
            name: name.to_owned(),
            mime_type: file.mime_type.clone(),
            size: Some(file.content.len()),
        };
        // From the file up to the root of the skill. A URI has as many segments as the path.
        let mut path = file.path.as_str();
        loop {
            let (directory, _) = child.uri.rsplit_once('/').expect("a file is in a directory");
            let directory = directory.to_owned();
            directories
                .entry(directory.clone())
                .or_default()
                .insert(child.uri.clone(), child.clone());
            let Some((parent, _)) = path.rsplit_once('/') else { break };
            path = parent;
            child = Child {
                uri: directory,
                name: path.rsplit('/').next().unwrap_or(path).to_owned(),
                mime_type: DIRECTORY.to_owned(),
                size: None,
            };
        }
    }
    directories
}
