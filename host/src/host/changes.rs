//! What a reload changed, for the line that says so.

use std::{collections::BTreeMap, fmt, sync::Arc};

use super::assemble::Version;

/// How many names one line has of each kind.
const MAX_NAMES: usize = 10;

/// What a reload changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Tools, resources, prompts and skills that are new.
    pub added: Vec<String>,
    /// Those whose component is another one.
    pub replaced: Vec<String>,
    /// Those that are gone.
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
        for (name, content) in &new {
            match old.get(name) {
                None => changes.added.push(name.clone()),
                Some(before) if before != content => changes.replaced.push(name.clone()),
                Some(_) => {}
            }
        }
        changes.removed = old.into_keys().filter(|name| !new.contains_key(name)).collect();
        changes.settings = !Arc::ptr_eq(&before.config, &after.config);
        changes
    }
}

/// Which content everything is of, by what a line calls it: a tool by its name alone.
fn contents(version: &Version) -> BTreeMap<String, blake3::Hash> {
    let content = |component| version.components[component].content;
    let catalog = version.host.catalog();
    let functions = catalog.functions().iter().map(|function| {
        let name = function.trigger.name();
        let name = match function.tool() {
            Some(_) => format!("`{name}`"),
            None => format!("{} `{name}`", function.trigger.kind()),
        };
        (name, content(&function.component))
    });
    let skills = catalog
        .skills()
        .iter()
        .map(|skill| (format!("skill `{}`", skill.name), content(&skill.component)));
    functions.chain(skills).collect()
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let kinds =
            [("added", &self.added), ("replaced", &self.replaced), ("removed", &self.removed)];
        for (kind, all) in kinds.into_iter().filter(|(_, all)| !all.is_empty()) {
            let mut names: Vec<String> = all.iter().take(MAX_NAMES).cloned().collect();
            if let Some(n_more) = all.len().checked_sub(MAX_NAMES + 1) {
                names.push(format!("and {} more", n_more + 1));
            }
            parts.push(format!("{kind} {}", names.join(", ")));
        }
        if self.settings {
            parts.push("applied the settings".to_owned());
        }
        if parts.is_empty() {
            parts.push("nothing that is served changed".to_owned());
        }
        f.write_str(&parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| format!("`{name}`")).collect()
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
        let added = (0..12).map(|n| format!("`{n}`")).collect();
        let line = Changes { added, ..Changes::default() }.to_string();
        assert!(line.ends_with("`9`, and 2 more"), "{line}");
    }
}
