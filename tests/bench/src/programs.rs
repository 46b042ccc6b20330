//! Where the programs and components are that are measured.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};

/// All of them.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The folder of programs, built with one profile.
    pub programs: PathBuf,
    /// The folder of components.
    pub components: PathBuf,
}

impl Programs {
    /// The programs beside the one that runs, and the components of a folder.
    pub fn beside_this(components: &Path) -> Result<Self> {
        let this = env::current_exe()?;
        let programs = this.parent().context("a program is in a folder")?.to_owned();
        Ok(Self { programs, components: components.to_owned() })
    }

    /// A program.
    pub fn program(&self, name: &str) -> Result<PathBuf> {
        exists(self.programs.join(name))
    }

    /// A component.
    pub fn component(&self, name: &str) -> Result<PathBuf> {
        exists(self.components.join(format!("{name}.wasm")))
    }
}

fn exists(path: PathBuf) -> Result<PathBuf> {
    ensure!(path.exists(), "there is no `{}` (`cargo xtask bench` builds it)", path.display());
    Ok(path)
}
