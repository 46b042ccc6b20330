//! A folder that the host is started in: host.json, and components.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use serde_json::Value;
use tempfile::TempDir;

use crate::server::Server;

/// A project of the host, gone at its end.
#[derive(Debug)]
pub struct Folder {
    folder: TempDir,
}

impl Folder {
    /// One with this host.json and no components.
    pub fn new(host_json: &Value) -> Result<Self> {
        let folder = TempDir::new()?;
        fs::create_dir(folder.path().join("functions"))?;
        fs::write(folder.path().join("host.json"), host_json.to_string())?;
        Ok(Self { folder })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a component there, or a new version of it: whole, by a rename.
    pub fn put(&self, name: &str, wasm: &[u8]) -> Result<()> {
        let staged = self.folder.path().join(name);
        fs::write(&staged, wasm)?;
        fs::rename(staged, self.component(name)).with_context(|| format!("cannot put `{name}`"))
    }

    /// Puts a component file there.
    pub fn copy(&self, file: &Path) -> Result<()> {
        let name = file.file_name().context("no name")?.to_string_lossy().into_owned();
        let wasm = fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
        self.put(&name, &wasm)
    }

    /// Removes all compiled code.
    pub fn forget_compiled(&self) -> Result<()> {
        let cache = self.folder.path().join(".mcpfn/cache");
        if cache.exists() {
            fs::remove_dir_all(cache)?;
        }
        Ok(())
    }

    /// Starts the host there, on one core if it is given.
    pub fn start(&self, mcpfn: &Path, core: Option<usize>) -> Result<Server> {
        let mut command = Command::new(mcpfn);
        command.args(["start", "--port", "0"]).current_dir(self.folder.path());
        Server::start(&mut command, core)
    }

    fn component(&self, name: &str) -> PathBuf {
        self.folder.path().join("functions").join(name)
    }
}
