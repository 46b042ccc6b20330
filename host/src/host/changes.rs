//! What a reload changed, for the line that says so.

use std::{collections::HashMap, fmt, sync::Arc};

use super::assemble::Version;

/// How many names one line has of each kind.
const MAX_NAMES: usize = 10;

/// What a reload changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Tools that are new.
    pub added: Vec<String>,
    /// Tools whose component is another one.
    pub replaced: Vec<String>,
    /// Tools that are gone.
    pub removed: Vec<String>,
    /// Whether host.json or local.settings.json was read anew.
    pub settings: bool,
}

impl Changes {
    /// What is different in `after`.
    pub(super) fn between(before: Option<&Version>, after: &Version) -> Self {
        let mut changes = Self::default();
        let Some(before) = before else { return changes };
        let (old, new) = (contents(before), contents(after));
        for function in after.host.catalog().functions() {
            let name = function.tool().name.as_str();
            match old.get(name) {
                None => changes.added.push(name.to_owned()),
                Some(content) if *content != new[name] => changes.replaced.push(name.to_owned()),
                Some(_) => {}
            }
        }
        let gone = before.host.catalog().functions().iter().map(|f| &f.tool().name);
        changes.removed = gone.filter(|name| !new.contains_key(name.as_str())).cloned().collect();
        changes.settings = !Arc::ptr_eq(&before.config, &after.config);
        changes
    }
}

/// Which content each tool is of.
fn contents(version: &Version) -> HashMap<&str, blake3::Hash> {
    let functions = version.host.catalog().functions().iter();
    let content =
        |function: &crate::function::Function| version.components[&function.component].content;
    functions.map(|function| (function.tool().name.as_str(), content(function))).collect()
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let kinds =
            [("added", &self.added), ("replaced", &self.replaced), ("removed", &self.removed)];
        for (kind, tools) in kinds.into_iter().filter(|(_, tools)| !tools.is_empty()) {
            let mut names: Vec<String> =
                tools.iter().take(MAX_NAMES).map(|tool| format!("`{tool}`")).collect();
            if let Some(n_more) = tools.len().checked_sub(MAX_NAMES + 1) {
                names.push(format!("and {} more", n_more + 1));
            }
            parts.push(format!("{kind} {}", names.join(", ")));
        }
        if self.settings {
            parts.push("applied the settings".to_owned());
        }
        if parts.is_empty() {
            parts.push("no tool changed".to_owned());
        }
        f.write_str(&parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_line_names_what_changed() {
        let changes = Changes {
            added: names(&["a"]),
            replaced: names(&["b", "c"]),
            removed: names(&["d"]),
            settings: true,
        };
        assert_eq!(
            changes.to_string(),
            "added `a`; replaced `b`, `c`; removed `d`; applied the settings"
        );
    }

    #[test]
    fn many_names_are_counted() {
        let added = (0..12).map(|n| n.to_string()).collect();
        let line = Changes { added, ..Changes::default() }.to_string();
        assert!(line.ends_with("`9`, and 2 more"), "{line}");
    }
}
