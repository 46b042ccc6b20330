//! How this program was started, so that printed commands work when they are copied.

use std::{
    ffi::OsString,
    fmt::{self, Display},
    path::PathBuf,
};

/// The program as the user typed it: `mcpfn`, or the path to it.
#[derive(Clone, Debug)]
pub(crate) struct Program(PathBuf);

impl Program {
    /// Takes the first word of the command line; `mcpfn` where the caller gave none.
    pub(crate) fn from_argv0(argv0: Option<OsString>) -> Self {
        Self(argv0.filter(|word| !word.is_empty()).map_or_else(|| "mcpfn".into(), PathBuf::from))
    }

    /// The same program for a shell in another folder: a relative path is made absolute, a bare
    /// name is left for `PATH` to find.
    #[must_use]
    pub(crate) fn for_any_folder(&self) -> Self {
        if self.0.components().count() < 2 {
            return self.clone();
        }
        Self(std::path::absolute(&self.0).unwrap_or_else(|_| self.0.clone()))
    }
}

/// Writes the program as one word of a POSIX shell.
impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.0.to_string_lossy();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,".contains(c);
        if word.chars().all(is_plain) {
            f.write_str(&word)
        } else {
            write!(f, "'{}'", word.replace('\'', r"'\''"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(word: &str) -> Program {
        Program::from_argv0(Some(word.into()))
    }

    #[test]
    fn a_bare_name_stays_bare_in_every_folder() {
        assert_eq!(typed("mcpfn").for_any_folder().to_string(), "mcpfn");
        assert_eq!(Program::from_argv0(None).to_string(), "mcpfn");
    }

    #[test]
    fn a_relative_path_is_absolute_for_another_folder() {
        let here = std::env::current_dir().unwrap();
        let program = typed("target/release/mcpfn");
        assert_eq!(program.to_string(), "target/release/mcpfn");
        let expected = here.join("target/release/mcpfn").display().to_string();
        assert_eq!(program.for_any_folder().to_string(), expected);
    }

    #[test]
    fn a_path_with_a_space_is_quoted() {
        assert_eq!(typed("/my tools/it's/mcpfn").to_string(), r"'/my tools/it'\''s/mcpfn'");
    }
}
