//! Why a host cannot serve.

use std::{error::Error as _, fmt::Write as _, io, path::PathBuf, sync::Arc};

use thiserror::Error;

use crate::{
    config::ConfigError,
    function::{ComponentName, NameTaken},
    guest,
    invoke::PrepareError,
};

/// Why a host cannot serve. Each names the file, and both files where two disagree.
#[derive(Debug, Error)]
pub enum LoadError {
    /// host.json does not fit the components.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder of components cannot be read.
    #[error(
        "the functions folder `{}` cannot be read (run `mcpfn build`, or name another with `--functions`)",
        path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// There is no engine.
    #[error(transparent)]
    Engine(guest::LoadError),
    /// A component cannot serve.
    #[error("{component} cannot be loaded")]
    Component {
        /// The file.
        component: Arc<ComponentName>,
        /// Why.
        #[source]
        source: guest::LoadError,
    },
    /// A component's file cannot be read.
    #[error("{component} cannot be read")]
    File {
        /// The file.
        component: Arc<ComponentName>,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Two functions want one name.
    #[error("{} `{}` is declared twice (names are unique, case ignored): by {} and by {}", .0.what, .0.name, .0.first, .0.second)]
    NameTaken(NameTaken),
    /// A function that a component declares cannot be made ready.
    #[error("{component} declares the function `{function}`, which cannot be served")]
    Function {
        /// The file.
        component: Arc<ComponentName>,
        /// The function.
        function: String,
        /// Why.
        #[source]
        source: PrepareError,
    },
}

impl LoadError {
    /// The error and its causes, as one line.
    pub(super) fn sentence(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            write!(text, ": {error}").expect("a string takes every write");
            cause = error.source();
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
