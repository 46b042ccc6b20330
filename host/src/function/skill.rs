//! Skills: files of instructions for a model that clients read, and nothing runs.

use std::sync::Arc;

use super::{ComponentName, Json};

/// The file that every skill has, at its root.
pub const SKILL_FILE: &str = "SKILL.md";

/// A skill: files that are read under `skill://NAME/PATH`.
#[derive(Debug)]
pub struct Skill {
    /// Unique in the host; the frontmatter has the same.
    pub name: String,
    /// What it is for, and when to use it.
    pub description: String,
    /// The component that ships it.
    pub component: Arc<ComponentName>,
    /// The frontmatter of [`SKILL_FILE`], an object.
    pub frontmatter: Json,
    /// Every file, ordered by path.
    pub files: Vec<SkillFile>,
}

/// One file of a skill.
#[derive(Debug)]
pub struct SkillFile {
    /// Its path inside the skill.
    pub path: String,
    /// Where clients read it.
    pub uri: String,
    /// The media type.
    pub mime_type: String,
    /// The SHA-256 of the content, in hex digits.
    pub sha256: String,
    /// What is in it.
    pub content: Vec<u8>,
}

impl Skill {
    /// The file that begins it.
    pub fn manifest(&self) -> &SkillFile {
        self.files
            .iter()
            .find(|file| file.path == SKILL_FILE)
            .expect("a skill without it does not load")
    }
}
