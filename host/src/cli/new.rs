//! `mcpfn new`: lays out a project for tools in Rust, ready for `mcpfn build`.

mod name;
mod vendor;

use std::{
    fs::{self, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::program::Program;

/// What a project consists of, beside the SDK: path and text.
const TEMPLATES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("new/Cargo.toml.in")),
    ("src/lib.rs", include_str!("new/lib.rs.in")),
    ("host.json", include_str!("new/host.json.in")),
    (".gitignore", include_str!("new/gitignore.in")),
    ("README.md", include_str!("new/README.md.in")),
];

/// Lay out a project for tools in Rust, in a new folder.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of the project and of its folder, such as `my-tools`
    pub name: String,
}

/// Why no project was laid out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// Cargo, or Rust, would not take the name.
    #[error("`{name}` cannot be the name of a project: {reason}")]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Something of that name is here.
    #[error("`{name}` exists in this folder already (choose another name, or remove it)")]
    Exists {
        /// The name.
        name: String,
    },
    /// A file or folder cannot be written.
    #[error("cannot write `{}`", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The terminal, or what stands in its place, does not take our lines.
    #[error("cannot write to the terminal")]
    Terminal(#[from] io::Error),
}

/// Lays out a project in a new folder of the current one, and tells the commands that come next.
///
/// The folder appears whole or not at all.
///
/// # Errors
/// Where the name cannot be that of a crate, where the folder exists, and where it cannot be
/// written.
pub(crate) fn run(args: &Args, program: &Program, out: &mut dyn Write) -> Result<(), Error> {
    let here = std::env::current_dir()?;
    create(&here, &args.name)?;
    let name = &args.name;
    // Each line works after the one before it; `start` runs until it is stopped, so it is last.
    let program = program.for_any_folder();
    writeln!(out, "made {name}/; next:")?;
    writeln!(out, "  cd {name}")?;
    writeln!(out, "  {program} build")?;
    writeln!(out, "  {program} call add_line --arg title=todo --arg line=milk")?;
    writeln!(out, "  {program} start")?;
    Ok(())
}

fn create(parent: &Path, name: &str) -> Result<(), Error> {
    name::check(name).map_err(|reason| Error::Name { name: name.to_owned(), reason })?;
    let folder = parent.join(name);
    // A link that points nowhere is in the way, too.
    if folder.symlink_metadata().is_ok() {
        return Err(Error::Exists { name: name.to_owned() });
    }
    let partial = tempfile::Builder::new()
        .prefix(".mcpfn-new-")
        .permissions(Permissions::from_mode(0o777)) // less what the umask takes
        .tempdir_in(parent)
        .map_err(at(parent))?;
    let templates = TEMPLATES.iter().map(|(path, text)| (*path, text.replace("{{name}}", name)));
    for (path, text) in templates {
        write(&partial.path().join(path), text.as_bytes())?;
    }
    for (path, content) in vendor::files() {
        write(&partial.path().join("vendor").join(path), &content)?;
    }
    fs::rename(partial.path(), &folder).map_err(at(&folder))?;
    // There is nothing left in its old place for it to remove.
    let _ = partial.keep();
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    let folder = path.parent().expect("every file of a project is in its folder");
    fs::create_dir_all(folder).map_err(at(folder))?;
    fs::write(path, content).map_err(at(path))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::File { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_has_its_name_and_the_sdk() {
        let parent = tempfile::tempdir().unwrap();
        create(parent.path(), "my-tools").unwrap();
        let folder = parent.path().join("my-tools");
        let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
        assert!(read("Cargo.toml").contains("name = \"my-tools\""));
        assert!(read("host.json").contains("\"serverName\": \"my-tools\""));
        assert!(read("vendor/mcpfn-sdk/wit/world.wit").contains("package mcpfn:function"));
        for path in ["vendor/mcpfn-sdk/src/lib.rs", "vendor/mcpfn-sdk/macros/src/lib.rs"] {
            assert!(!read(path).is_empty(), "{path}");
        }
        for (path, _) in TEMPLATES {
            assert!(!read(path).contains("{{"), "{path}");
        }
        // Nothing half-made is left beside it.
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_exists_is_left_alone() {
        let parent = tempfile::tempdir().unwrap();
        fs::write(parent.path().join("taken"), "mine").unwrap();
        let error = create(parent.path(), "taken").unwrap_err().to_string();
        let expected = "`taken` exists in this folder already (choose another name, or remove it)";
        assert_eq!(error, expected);
        assert_eq!(fs::read(parent.path().join("taken")).unwrap(), b"mine");
    }

    #[test]
    fn a_name_with_a_slash_makes_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let error = create(parent.path(), "../a").unwrap_err().to_string();
        assert!(error.starts_with("`../a` cannot be the name of a project: "), "{error}");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
