//! The differences that are known, each with what it rests on.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde::Deserialize;

/// A kind of difference that has a reason. `*` in a pattern stands for anything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// The messages, by patterns of their names.
    pub messages: Vec<String>,
    /// What the host answers.
    pub host: String,
    /// What the reference answers.
    pub reference: String,
    /// The clause of the specification, or the fact, that makes the host right.
    pub because: String,
}

impl Difference {
    /// Whether it is this one.
    pub fn explains(&self, message: &str, host: &str, reference: &str) -> bool {
        self.messages.iter().any(|pattern| matches(pattern, message))
            && matches(&self.host, host)
            && matches(&self.reference, reference)
    }
}

/// Reads the table, a JSON array.
pub fn read(file: &Path) -> Result<Vec<Difference>> {
    let text = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("`{}`", file.display()))
}

/// Whether a text has a pattern.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == text };
    let Some(rest) = text.strip_prefix(before) else { return false };
    (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| matches(after, &rest[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("legacy/*/params-*", "legacy/tools/list/params-null"));
        assert!(matches("400 *", "400 error -32700"));
        assert!(matches("*", ""));
        assert!(!matches("modern/*", "legacy/x"));
        assert!(!matches("a*b", "abc"));
    }
}
