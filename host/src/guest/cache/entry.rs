//! What is kept of one component beside its code: which code that is, and what it says of its functions.

use std::{
    hash::{Hash, Hasher},
    mem,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use super::key::Key;
use crate::guest::bindings::mcpfn::function::types as wit;

/// Changes with the form of [`Entry`].
const FORMAT: &[u8] = b"2";

/// The contract in which functions are described: a changed one makes every description a foreign one.
const CONTRACT: &str = include_str!("../../../../wit/types.wit");

const MAC_LEN: usize = blake3::OUT_LEN;

/// What is known of one component for one engine.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Entry<D> {
    /// The hash of its code, which is the name of the file that has it.
    pub(super) code: String,
    /// What it says of its functions; none, when it did not answer.
    pub(super) description: Option<D>,
}

/// What a component says of its functions. It depends on the component's bytes alone.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::guest) struct Description {
    /// Bytes of memory that the instance had which was asked: below this limit, none can answer.
    pub(in crate::guest) memory: usize,
    /// The answer, not yet checked, without what is in the files of its skills.
    declared: wit::Description,
    /// What is in them, in order, as base64: an array of numbers would be four times as long.
    contents: Vec<String>,
}

impl Description {
    pub(in crate::guest) fn new(memory: usize, mut declared: wit::Description) -> Self {
        let contents =
            contents_of(&mut declared).map(|content| STANDARD.encode(mem::take(content))).collect();
        Self { memory, declared, contents }
    }

    /// The answer, whole.
    pub(in crate::guest) fn into_declared(self) -> wit::Description {
        let Self { mut declared, contents, .. } = self;
        for (content, text) in contents_of(&mut declared).zip(contents) {
            *content = STANDARD.decode(text).expect("the MAC shows that this host wrote it");
        }
        declared
    }
}

fn contents_of(declared: &mut wit::Description) -> impl Iterator<Item = &mut Vec<u8>> {
    let files = declared.skills.iter_mut().flat_map(|skill| &mut skill.files);
    files.map(|file| &mut file.content)
}

/// The name of an entry: one for each content, engine configuration, wasmtime version and contract.
pub(super) fn name(engine: &wasmtime::Engine, content: &blake3::Hash) -> String {
    let mut hasher = Blake3(blake3::Hasher::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    // Another version of the host may link other things.
    hasher
        .0
        .update(env!("CARGO_PKG_VERSION").as_bytes())
        .update(FORMAT)
        .update(CONTRACT.as_bytes())
        .update(content.as_bytes());
    format!("{}.entry", hasher.0.finalize().to_hex())
}

impl Entry<Description> {
    /// Reads what [`to_bytes`](Self::to_bytes) wrote under this name and key; anything else is none.
    pub(super) fn parse(bytes: &[u8], name: &str, key: &Key) -> Option<Self> {
        let (mac, body) = bytes.split_first_chunk::<MAC_LEN>()?;
        // `blake3::Hash` compares in constant time.
        if key.mac(name, body) != blake3::Hash::from_bytes(*mac) {
            return None;
        }
        serde_json::from_slice(body).ok()
    }
}

impl<D: Serialize> Entry<D> {
    /// The entry under its MAC.
    pub(super) fn to_bytes(&self, name: &str, key: &Key) -> Vec<u8> {
        let body = serde_json::to_vec(self).expect("an entry has a JSON text");
        [key.mac(name, &body).as_bytes(), body.as_slice()].concat()
    }
}

/// Feeds what implements `Hash` to a hash that is stable across runs.
struct Blake3(blake3::Hasher);

impl Hasher for Blake3 {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::Description;
    use crate::guest::bindings::mcpfn::function::types as wit;

    #[test]
    fn files_of_skills_are_kept_short_and_come_back_as_they_were() {
        let content: Vec<u8> = (0..=255).collect();
        let file =
            wit::SkillFile { path: "a".to_owned(), mime_type: None, content: content.clone() };
        let skill = wit::Skill { name: "s".to_owned(), files: vec![file.clone(), file] };
        let declared = wit::Description { functions: Vec::new(), skills: vec![skill] };
        let text = serde_json::to_vec(&Description::new(7, declared)).unwrap();
        assert!(text.len() < 1000, "{}", text.len());
        let description: Description = serde_json::from_slice(&text).unwrap();
        assert_eq!(description.memory, 7);
        let declared = description.into_declared();
        assert_eq!(declared.skills[0].files[0].content, content);
        assert_eq!(declared.skills[0].files[1].content, content);
    }
}
