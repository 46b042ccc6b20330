//! Which compiler builds the guests, and how it came to be there.

use std::{io::Write, path::Path, process::Command};

use super::{TARGET, WasmToolchain, debian, error::Error, lock, process, rustup};

/// A Rust toolchain that can compile for the target.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Toolchain {
    /// The one that is active in this folder.
    Active,
    /// Ours, which rustup knows as [`rustup::LINKED`].
    Linked {
        /// Differs between two standard libraries, even under the same compiler.
        id: String,
    },
}

impl Toolchain {
    /// Finds a toolchain, or makes one. What is made is made once and kept.
    ///
    /// In this order: the active toolchain has the target; ours is there; rustup can add the
    /// target; ours can be made from Debian's packages. The first that works is taken.
    pub(super) fn find(
        way: WasmToolchain,
        data_folder: &Path,
        out: &mut dyn Write,
    ) -> Result<Self, Error> {
        if let Some(toolchain) = Self::ready(way, data_folder) {
            return toolchain.announce(out);
        }
        let _lock = lock::acquire(&data_folder.join("toolchain.lock"), out)?;
        // Another build may have made it while this one waited.
        if let Some(toolchain) = Self::ready(way, data_folder) {
            return toolchain.announce(out);
        }

        let mut causes = Vec::new();
        if way != WasmToolchain::Debian {
            writeln!(out, "adding the target {TARGET} to the active Rust toolchain, with rustup")?;
            match rustup::add_target() {
                Ok(()) => return Self::Active.announce(out),
                Err(failure) => causes.push(failure.to_string()),
            }
        }
        if way != WasmToolchain::Rustup {
            if let Some(cause) = causes.last() {
                writeln!(out, "that did not work ({cause})")?;
            }
            writeln!(
                out,
                "making a toolchain from Debian's packages in {}, once: takes about two minutes \
                 and 500 MB",
                data_folder.display(),
            )?;
            match debian::make(data_folder) {
                Ok(toolchain) => return toolchain.announce(out),
                Err(failure) => causes.push(format!("from Debian's packages: {failure}")),
            }
        }
        Err(Error::NoToolchain { causes })
    }

    /// The toolchain that needs nothing to be done first.
    fn ready(way: WasmToolchain, data_folder: &Path) -> Option<Self> {
        let active = || rustup::has_target().then_some(Self::Active);
        let linked = || debian::ready(data_folder);
        match way {
            WasmToolchain::Auto => active().or_else(linked),
            WasmToolchain::Rustup => active(),
            WasmToolchain::Debian => linked(),
        }
    }

    fn announce(self, out: &mut dyn Write) -> Result<Self, Error> {
        match self {
            Self::Active => writeln!(out, "compiling with the active Rust toolchain")?,
            Self::Linked { .. } => {
                writeln!(out, "compiling with the Rust toolchain `{}`", rustup::LINKED)?;
            }
        }
        Ok(self)
    }

    /// Cargo, to which only the arguments have to be added.
    pub(super) fn cargo(&self) -> Command {
        match self {
            Self::Active => process::command("cargo"),
            Self::Linked { .. } => {
                // By rustup, which sets the library path that Debian's rustc needs.
                let mut command = process::command("rustup");
                command.args(["run", rustup::LINKED, "cargo"]);
                command
            }
        }
    }

    /// Differs where cargo must not reuse what it has built before.
    pub(super) fn stamp(&self) -> String {
        match self {
            Self::Active => "active".to_owned(),
            Self::Linked { id } => format!("linked {id}"),
        }
    }
}
