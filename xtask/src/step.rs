//! One program that has to succeed: shown as a line that anyone can run, then run.

use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Error, Result, ensure};

use crate::workspace::Workspace;

/// A named command line in the root of the repository.
#[derive(Debug)]
pub(crate) struct Step {
    name: &'static str,
    command: Command,
}

impl Step {
    /// A step that runs a program; a relative path to it is one from the root.
    pub(crate) fn new(
        name: &'static str,
        workspace: &Workspace,
        program: impl AsRef<Path>,
    ) -> Self {
        let typed = program.as_ref();
        let mut command = if typed.components().count() > 1 {
            let mut command = Command::new(workspace.root.join(typed));
            // So that what it prints about itself is what a person would type here.
            command.arg0(typed);
            command
        } else {
            Command::new(typed)
        };
        command.current_dir(&workspace.root).stdin(Stdio::null());
        Self { name, command }
    }

    /// Adds arguments.
    pub(crate) fn args<T: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = T>) -> Self {
        self.command.args(args);
        self
    }

    /// Sets a variable for the program.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs the step in another folder.
    pub(crate) fn in_folder(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(mut self) -> Result<()> {
        self.show()?;
        let status = self.command.status().with_context(|| self.cannot_run())?;
        ensure!(status.success(), "the step `{}` failed ({status})", self.name);
        Ok(())
    }

    /// Runs it to its end and gives each line of its stdout to `read` as it is passed on.
    pub(crate) fn run_reading(mut self, mut read: impl FnMut(&str)) -> Result<()> {
        self.show()?;
        let mut child =
            self.command.stdout(Stdio::piped()).spawn().with_context(|| self.cannot_run())?;
        let mut stdout = io::stdout().lock();
        let lines = child.stdout.take().context("stdout was asked for above")?;
        for line in BufReader::new(lines).split(b'\n') {
            let line = line?;
            read(&String::from_utf8_lossy(&line));
            stdout.write_all(&line)?;
            stdout.write_all(b"\n")?;
        }
        let status = child.wait()?;
        ensure!(status.success(), "the step `{}` failed ({status})", self.name);
        Ok(())
    }

    /// Becomes the program; it returns only where that cannot be.
    pub(crate) fn become_it(mut self) -> Error {
        if let Err(error) = self.show() {
            return error;
        }
        // It is a person's from here on.
        let error = self.command.stdin(Stdio::inherit()).exec();
        Error::new(error).context(self.cannot_run())
    }

    fn show(&self) -> Result<()> {
        Ok(writeln!(io::stderr(), "$ {}", self.line())?)
    }

    fn cannot_run(&self) -> String {
        let program = self.command.get_program().to_string_lossy();
        format!("the step `{}` cannot run `{program}`", self.name)
    }

    fn line(&self) -> String {
        let variables = self.command.get_envs().filter_map(|(name, value)| {
            Some(format!("{}={}", name.to_string_lossy(), word(value?)))
        });
        let program = std::iter::once(self.command.get_program()).map(word);
        variables
            .chain(program)
            .chain(self.command.get_args().map(word))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// One word of a shell.
fn word(text: &OsStr) -> String {
    let text = text.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:,+".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_shown_as_a_line_for_a_shell() {
        let mut command = Command::new("cargo");
        command.args(["doc", "--no-deps", "it's"]).env("RUSTDOCFLAGS", "-D warnings");
        let step = Step { name: "doc", command };
        assert_eq!(step.line(), r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'it'\''s'");
    }
}
