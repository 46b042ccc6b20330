//! What can go wrong in `mcpfn build`.

use std::{io, path::PathBuf, process::ExitStatus};

use super::TARGET;

/// Why nothing, or not everything, was built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// There is no project here.
    #[error(
        "no Cargo.toml in this folder or a parent of it (start with `mcpfn new NAME`, or name one \
         with `--manifest-path`)"
    )]
    NoProject,
    /// Cargo does not accept the project.
    #[error("cargo cannot read the project ({status}); its errors are above")]
    Project {
        /// How cargo ended.
        status: ExitStatus,
    },
    /// What cargo says about the project is not what is known of it.
    #[error(
        "cargo has read the project, but what it says about it is not understood (is `cargo` on \
         PATH the one of a recent Rust?)"
    )]
    Metadata,
    /// A package was asked for that the project does not have.
    #[error("no package `{name}` in this workspace (it has {})", quoted(known))]
    UnknownPackage {
        /// What was asked for.
        name: String,
        /// What could have been.
        known: Vec<String>,
    },
    /// Cargo built something, but no component.
    #[error(
        "{} builds no component: add `[lib]` with `crate-type = [\"cdylib\"]` to its Cargo.toml",
        quoted(packages)
    )]
    NoComponent {
        /// The packages that were built.
        packages: Vec<String>,
    },
    /// Neither `HOME` nor `XDG_DATA_HOME` is set.
    #[error("no folder to keep a toolchain in: set `HOME` or `XDG_DATA_HOME`")]
    NoHome,
    /// No way to compile for the target worked.
    #[error(
        "cannot compile for {TARGET}: {}; run `rustup target add {TARGET}` where the network allows \
         it, then try again",
        causes.join("; ")
    )]
    NoToolchain {
        /// One line for each way that was tried.
        causes: Vec<String>,
    },
    /// The compiler refused the program; it has said why.
    #[error("the program does not compile ({status}); the compiler's errors are above")]
    Compile {
        /// How cargo ended.
        status: ExitStatus,
    },
    /// A program that is needed cannot be run.
    #[error("cannot run `{program}`")]
    Program {
        /// Its name.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot {action} `{}`", path.display())]
    File {
        /// What was to be done: `write`, `create`, ...
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The terminal, or what stands in its place, does not take our lines.
    #[error("cannot write to the terminal")]
    Terminal(#[from] io::Error),
}

impl Error {
    /// Names the file in what the operating system says.
    pub(super) fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
