//! What the tests and the bench take from pip and npm: in a cache folder outside the clone.

use std::{
    env,
    fs::{self, File},
    hash::{DefaultHasher, Hasher},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result};

use crate::{step::Step, workspace::Workspace};

/// Says that the folder it is in is complete, and by its time when it was used last.
const STAMP: &str = ".complete";

/// How the names of the folders begin; a hash of what is installed follows.
const PYTHON: &str = "clients-";
const NODE: &str = "node-";

/// How long a folder is kept that no test run uses. Long enough to go back to a branch.
const KEPT: Duration = Duration::from_hours(30 * 24);

/// The MCP clients that the tests run.
pub(crate) const CLIENTS: &str = "tests/clients";

/// What compiles the guests that are measured and are not in Rust.
pub(crate) const COMPILERS: &str = "tests/bench/guests";

/// Where packages are.
#[derive(Debug)]
pub(crate) struct Packages {
    /// A Python that imports the packages of `requirements.txt`.
    pub(crate) python: PathBuf,
    /// The packages of `package-lock.json`.
    pub(crate) node_modules: PathBuf,
}

/// Installs what a folder of the repository lists, where it is not installed in these very versions.
pub(crate) fn install(workspace: &Workspace, folder: &str) -> Result<Packages> {
    let folder = workspace.root.join(folder);
    let cache = cache_folder()?;
    fs::create_dir_all(&cache).with_context(|| format!("cannot create `{}`", cache.display()))?;
    // Held to the end: two test runs at once would install into the same folder.
    let lock = File::create(cache.join("clients.lock"))?;
    lock.lock()?;
    let packages = Packages {
        python: python(workspace, &folder, &cache)?,
        node_modules: node(workspace, &folder, &cache)?,
    };
    prune(&cache, SystemTime::now())?;
    Ok(packages)
}

fn python(workspace: &Workspace, listed: &Path, cache: &Path) -> Result<PathBuf> {
    let requirements = listed.join("requirements.txt");
    let folder = cache.join(format!("{PYTHON}{}", hash(&requirements)?));
    let python = folder.join("bin/python");
    if can_be_used(&folder)? {
        return Ok(python);
    }
    // Made in its final place: its scripts name the path.
    Step::new("venv", workspace, "python3").args(["-m", "venv"]).args([&folder]).run()?;
    Step::new("pip", workspace, &python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
        .args([&requirements])
        .run()?;
    fs::write(folder.join(STAMP), "")?;
    Ok(python)
}

fn node(workspace: &Workspace, listed: &Path, cache: &Path) -> Result<PathBuf> {
    let folder = cache.join(format!("{NODE}{}", hash(&listed.join("package-lock.json"))?));
    let modules = folder.join("node_modules");
    if can_be_used(&folder)? {
        return Ok(modules);
    }
    fs::create_dir_all(&folder)?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let file = listed.join(name);
        // The last one is npm's settings for this project; it works without.
        if name != ".npmrc" || file.exists() {
            fs::copy(&file, folder.join(name))
                .with_context(|| format!("cannot copy `{}`", file.display()))?;
        }
    }
    Step::new("npm", workspace, "npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .in_folder(&folder)
        .run()?;
    fs::write(folder.join(STAMP), "")?;
    Ok(modules)
}

/// Whether the folder is complete; it is then marked as used now. One that is not is removed.
fn can_be_used(folder: &Path) -> Result<bool> {
    match File::options().write(true).open(folder.join(STAMP)) {
        Ok(stamp) => {
            stamp.set_modified(SystemTime::now())?;
            return Ok(true);
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("`{}`", folder.display())),
    }
    if folder.exists() {
        remove(folder)?;
    }
    Ok(false)
}

/// Removes the folders of other versions that were not used for [`KEPT`]. Those of this run were
/// marked just now.
fn prune(cache: &Path, now: SystemTime) -> Result<()> {
    for entry in fs::read_dir(cache)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !entry.file_type()?.is_dir() || !(name.starts_with(PYTHON) || name.starts_with(NODE)) {
            continue;
        }
        // Without a stamp, the installation failed; it began when the folder was made.
        let folder = entry.path();
        let used = fs::metadata(folder.join(STAMP)).or_else(|_| entry.metadata())?.modified()?;
        // An error is a time in the future, of a clock that was set back.
        if now.duration_since(used).is_ok_and(|unused| unused > KEPT) {
            remove(&folder)?;
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    fs::remove_dir_all(folder).with_context(|| format!("cannot remove `{}`", folder.display()))
}

fn cache_folder() -> Result<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    Ok(base.context("no folder for a cache: set `HOME` or `XDG_CACHE_HOME`")?.join("mcpfn"))
}

fn hash(file: &Path) -> Result<String> {
    let content = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&content);
    Ok(format!("{:016x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cache of its own for a test, gone at its end.
    struct Cache(PathBuf);

    impl Cache {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("mcpfn-xtask-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn folder(&self, name: &str) -> PathBuf {
            let folder = self.0.join(name);
            fs::create_dir_all(folder.join("bin")).unwrap();
            folder
        }

        fn complete(&self, name: &str) -> PathBuf {
            let folder = self.folder(name);
            fs::write(folder.join(STAMP), "").unwrap();
            folder
        }
    }

    impl Drop for Cache {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_incomplete_folder_is_removed() {
        let cache = Cache::new("incomplete");
        let folder = cache.folder("node-0");
        assert!(!can_be_used(&folder).unwrap());
        assert!(!folder.exists());
        assert!(!can_be_used(&folder).unwrap());
        assert!(can_be_used(&cache.complete("node-0")).unwrap());
    }

    #[test]
    fn folders_that_no_run_has_used_for_long_are_removed() {
        let cache = Cache::new("prune");
        let month_ago = SystemTime::now() - KEPT - Duration::from_hours(1);
        let unused = |folder: PathBuf| {
            let stamp = File::options().write(true).open(folder.join(STAMP)).unwrap();
            stamp.set_modified(month_ago).unwrap();
            folder
        };
        let failed = cache.folder("clients-0");
        File::open(&failed).unwrap().set_modified(month_ago).unwrap();
        let gone = [unused(cache.complete("clients-1")), unused(cache.complete("node-1")), failed];
        let used = unused(cache.complete("node-2"));
        assert!(can_be_used(&used).unwrap());
        let kept = [used, cache.complete("clients-3"), unused(cache.complete("target"))];

        prune(&cache.0, SystemTime::now()).unwrap();
        for folder in gone {
            assert!(!folder.exists(), "{}", folder.display());
        }
        for folder in kept {
            assert!(folder.exists(), "{}", folder.display());
        }
    }
}
