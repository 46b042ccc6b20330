//! The SDK as it goes into a new project: its sources are in this program, so that a project is
//! complete without a registry and fits the host that made it.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

// Folder by folder: the SDK's tests and what cargo has built there stay out.
static SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../guest-sdk/src");
static MACROS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../guest-sdk/macros/src");
static WIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../wit");

const SDK_MANIFEST: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../guest-sdk/Cargo.toml"));
const MACROS_MANIFEST: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../guest-sdk/macros/Cargo.toml"));

/// What stands in the workspace that the SDK's manifests inherit from; the host is in it, too.
const WORKSPACE: [(&str, &str); 5] = [
    ("version", env!("CARGO_PKG_VERSION")),
    ("edition", "2024"),
    ("rust-version", env!("CARGO_PKG_RUST_VERSION")),
    ("license", env!("CARGO_PKG_LICENSE")),
    ("publish", "false"),
];

/// Every file of the vendored SDK, by its path in the folder `vendor`.
pub(super) fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new("mcpfn-sdk");
    let mut files = vec![
        (root.join("Cargo.toml"), vendored(SDK_MANIFEST).into_bytes()),
        (root.join("macros/Cargo.toml"), vendored(MACROS_MANIFEST).into_bytes()),
    ];
    for (folder, sources) in [("src", &SDK), ("macros/src", &MACROS), ("wit", &WIT)] {
        collect(sources, &root.join(folder), &mut files);
    }
    files
}

fn collect(sources: &Dir<'_>, folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for file in sources.files() {
        files.push((folder.join(file.path()), file.contents().to_vec()));
    }
    for sources in sources.dirs() {
        collect(sources, folder, files);
    }
}

/// A manifest of the SDK for a crate outside of our workspace: what it inherits is written out,
/// and what only we run (tests, lints) is left out.
///
/// It goes by lines, for the way that our two manifests are written; a test below tells when they
/// are written in another way.
fn vendored(manifest: &str) -> String {
    let mut text = String::new();
    let mut is_kept = true;
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            let table = header.trim_start_matches('[').split([']', '.']).next().unwrap_or_default();
            is_kept = !["lints", "dev-dependencies", "test", "bench", "example"].contains(&table);
        }
        if is_kept {
            match line.split_once(".workspace = true").and_then(|(key, _)| inherited(key)) {
                Some(written_out) => text += &written_out,
                None => text += line,
            }
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn inherited(key: &str) -> Option<String> {
    let (_, value) = WORKSPACE.iter().find(|(known, _)| *known == key)?;
    Some(match *value {
        "false" => format!("{key} = false"),
        text => format!("{key} = {text:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_stands_without_its_workspace() {
        let manifest = "\
[package]
name = \"a\"
version.workspace = true
publish.workspace = true

[dependencies]
b = { path = \"b\" }

[[test]]
name = \"ui\"

[dev-dependencies]
trybuild = \"1\"

[lints]
workspace = true
";
        let expected = format!(
            "[package]\nname = \"a\"\nversion = {:?}\npublish = false\n\n\
             [dependencies]\nb = {{ path = \"b\" }}\n",
            env!("CARGO_PKG_VERSION"),
        );
        assert_eq!(vendored(manifest), expected);
    }

    #[test]
    fn the_manifests_of_the_sdk_inherit_nothing() {
        for manifest in [SDK_MANIFEST, MACROS_MANIFEST] {
            let manifest = vendored(manifest);
            assert!(!manifest.contains("workspace"), "write out in WORKSPACE above:\n{manifest}");
            assert!(!manifest.contains(".."), "reaches out of its folder:\n{manifest}");
        }
    }
}
