//! What is wrong with the configuration, and where.

use std::{fmt, path::PathBuf};

use thiserror::Error;

/// What is wrong with the configuration: `host.json:14: /functions/save/bindings/0/pathh: unknown key`.
#[derive(Debug)]
pub struct ConfigError {
    /// The file, as it was named.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1, where the text is no JSON.
    pub column: Option<usize>,
    /// The JSON pointer; empty for the document as a whole.
    pub pointer: String,
    /// What is wrong.
    pub kind: ConfigErrorKind,
}

/// What is wrong with one place of the configuration.
#[derive(Debug, Error)]
pub enum ConfigErrorKind {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// The text is no JSON.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// A key that means nothing here.
    #[error("unknown key{hint}")]
    UnknownKey {
        /// The key that was probably meant, or all there are.
        hint: String,
    },
    /// A name that is there already, case ignored.
    #[error("`{first}` is given twice (names must differ by more than case)")]
    Duplicate {
        /// The name as it was first written.
        first: String,
    },
    /// A value of the wrong type or outside its range.
    #[error("{0}")]
    Invalid(String),
    /// A key of Azure that would change what is served, so that it cannot be passed over.
    #[error(
        "not supported here: the component declares it (arguments may be given as `toolProperties`)"
    )]
    Unsupported,
    /// What would ask or deny.
    #[error("needs the gate, which this version does not have")]
    Gate,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        if !self.pointer.is_empty() {
            write!(f, ": {}", self.pointer)?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for ConfigError {}

impl From<std::io::Error> for ConfigErrorKind {
    fn from(source: std::io::Error) -> Self {
        Self::Unreadable(source)
    }
}
