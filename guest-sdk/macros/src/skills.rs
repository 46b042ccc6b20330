//! The skills of a component: folders of files, read while compiling.

use std::{env, fs, path::Path};

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, LitStr};

/// The extension's limits for one skill.
const MAX_FILES: usize = 512;
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The file that makes a folder a skill.
const MANIFEST: &str = "SKILL.md";

/// The `Skill` of the runtime, of a folder relative to the crate's own.
pub(crate) fn expand(folder: &LitStr) -> syn::Result<TokenStream> {
    let written = folder.value();
    let wrong = |what: String| Error::new(folder.span(), format!("the skill `{written}` {what}"));
    let crate_folder = env::var_os("CARGO_MANIFEST_DIR")
        .ok_or_else(|| wrong(String::from("is nowhere: cargo did not say where the crate is")))?;
    let path = Path::new(&crate_folder).join(&written);
    let Skill { name, files } = Skill::read(&path).map_err(wrong)?;
    let entries = files.iter().map(|file| {
        // The absolute path, since a relative one is looked for beside the file that has the macro.
        let absolute = path.join(file).display().to_string();
        quote!((#file, ::core::include_bytes!(#absolute)))
    });
    Ok(quote! {
        ::mcpfn_sdk::runtime::Skill { name: #name, files: &[#(#entries),*] }
    })
}

/// A folder that is a skill.
#[derive(Debug, PartialEq, Eq)]
struct Skill {
    name: String,
    /// Their paths inside the skill, sorted.
    files: Vec<String>,
}

impl Skill {
    /// Reads a folder; the error says what is wrong with it.
    fn read(folder: &Path) -> Result<Self, String> {
        let mut files = Vec::new();
        walk(folder, "", &mut files)?;
        files.sort();
        if !files.iter().any(|file| file == MANIFEST) {
            return Err(format!("has no `{MANIFEST}`"));
        }
        let sizes = files.iter().filter_map(|file| fs::metadata(folder.join(file)).ok());
        if sizes.map(|metadata| metadata.len()).sum::<u64>() > MAX_BYTES {
            return Err(String::from("is over 16 MiB"));
        }
        let manifest = fs::read_to_string(folder.join(MANIFEST))
            .map_err(|error| format!("has a `{MANIFEST}` that cannot be read: {error}"))?;
        let name = frontmatter_name(&manifest)
            .ok_or_else(|| format!("has a `{MANIFEST}` without `name: ..` in its frontmatter"))?;
        // Clients take the last segment of the skill's URI for its name.
        if folder.file_name().is_none_or(|folder| folder != name.as_str()) {
            return Err(format!("calls itself `{name}` in its `{MANIFEST}`: name the folder so"));
        }
        Ok(Self { name, files })
    }
}

/// Adds the files below a folder.
fn walk(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<(), String> {
    let unread = |error| match prefix {
        "" => format!("cannot be read: {error}"),
        _ => format!("has a folder `{prefix}` that cannot be read: {error}"),
    };
    for entry in fs::read_dir(folder).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            return Err(format!("has a file whose name is not UTF-8: {}", name.display()));
        };
        let (path, kind) = (format!("{prefix}{name}"), entry.file_type().map_err(unread)?);
        if kind.is_dir() {
            walk(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.push(path);
        } else {
            return Err(format!("has `{path}`, which is neither a file nor a folder"));
        }
        if files.len() > MAX_FILES {
            return Err(format!("has more than {MAX_FILES} files"));
        }
    }
    Ok(())
}

/// `name: ..` between the first two lines of `---`. YAML allows more than this reads; the host reads it again.
fn frontmatter_name(manifest: &str) -> Option<String> {
    let mut lines = manifest.lines().map(str::trim_end);
    if lines.next()? != "---" {
        return None;
    }
    let mut lines = lines.take_while(|line| *line != "---");
    let name = lines.find_map(|line| line.strip_prefix("name:"))?.trim();
    let name = name.trim_matches(|quote| quote == '"' || quote == '\'');
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{MAX_FILES, Skill};

    fn skills() -> PathBuf {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/skills"))
    }

    fn wrong(name: &str) -> String {
        Skill::read(&skills().join(name)).unwrap_err()
    }

    #[test]
    fn all_files_are_read_in_the_order_of_their_paths() {
        let skill = Skill::read(&skills().join("sums")).unwrap();
        assert_eq!((skill.name.as_str(), skill.files.len()), ("sums", 2));
        assert_eq!(skill.files, ["SKILL.md", "references/TABLE.md"]);
    }

    #[test]
    fn a_folder_that_is_no_skill_is_told_why() {
        assert_eq!(wrong("empty"), "has no `SKILL.md`");
        assert_eq!(wrong("nameless"), "has a `SKILL.md` without `name: ..` in its frontmatter");
        assert_eq!(wrong("other"), "calls itself `another` in its `SKILL.md`: name the folder so");
        assert!(wrong("absent").starts_with("cannot be read: "));
    }

    #[test]
    fn a_skill_has_a_limit_of_files() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..=MAX_FILES {
            std::fs::write(folder.path().join(n.to_string()), "").unwrap();
        }
        assert_eq!(Skill::read(folder.path()).unwrap_err(), "has more than 512 files");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStrExt;

        let folder = tempfile::tempdir().unwrap();
        let name = std::ffi::OsStr::from_bytes(b"a\xff");
        std::fs::write(folder.path().join(name), "").unwrap();
        let message = Skill::read(folder.path()).unwrap_err();
        assert!(message.starts_with("has a file whose name is not UTF-8: "), "{message}");
    }
}
