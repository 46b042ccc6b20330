//! Running other programs: an environment that is not our caller's, and one line that says why a
//! program failed.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read, Seek},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a cargo or a rustup proxy that started us sets for its children. Taken along, it would
/// make the cargo that we start build with the caller's compiler and flags.
const CALLERS_VARIABLES: [&str; 14] = [
    "CARGO",
    "CARGO_BUILD_RUSTC",
    "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_TARGET",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_MAKEFLAGS",
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_PATH",
    "CARGO_PKG_NAME",
    "MAKEFLAGS",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTDOC",
    "RUSTUP_TOOLCHAIN",
];

/// A program that failed, and why.
#[derive(Debug, thiserror::Error)]
#[error("`{program}`: {cause}")]
pub(super) struct Failure {
    program: String,
    cause: String,
}

impl Failure {
    /// Says why `program` is of no use.
    pub(super) fn new(program: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { program: program.into(), cause: cause.into() }
    }
}

/// A command in an environment that holds nothing of the cargo that may have started us.
pub(super) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for variable in CALLERS_VARIABLES {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a command to its end and gives what it wrote to stdout.
pub(super) fn output(command: &mut Command) -> Result<String, Failure> {
    let program = name_of(command);
    let output = command.output().map_err(|error| unusable(&program, &error))?;
    if !output.status.success() {
        let cause = cause_of(&String::from_utf8_lossy(&output.stderr), output.status);
        return Err(Failure { program, cause });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command that may hang, and ends it when the limit has passed.
pub(super) fn run_within(limit: Duration, command: &mut Command) -> Result<(), Failure> {
    let program = name_of(command);
    let in_io = |error: io::Error| unusable(&program, &error);
    // A file and not a pipe: nobody has to empty it while we wait.
    let mut log: File = tempfile::tempfile().map_err(in_io)?;
    let mut child = command
        .stdout(Stdio::null())
        .stderr(log.try_clone().map_err(in_io)?)
        .spawn()
        .map_err(in_io)?;

    let deadline = Instant::now() + limit;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(in_io)? {
            break status;
        }
        if Instant::now() >= deadline {
            child.kill().map_err(in_io)?;
            child.wait().map_err(in_io)?;
            return Err(Failure::new(&program, format!("no answer in {} s", limit.as_secs())));
        }
        thread::sleep(Duration::from_millis(50));
    };
    if status.success() {
        return Ok(());
    }
    let mut stderr = Vec::new();
    log.rewind().and_then(|()| log.read_to_end(&mut stderr)).map_err(in_io)?;
    let cause = cause_of(&String::from_utf8_lossy(&stderr), status);
    Err(Failure { program, cause })
}

fn name_of(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    program.rsplit('/').next().unwrap_or(&program).to_owned()
}

fn unusable(program: &str, error: &io::Error) -> Failure {
    let cause = match error.kind() {
        io::ErrorKind::NotFound => "not found".to_owned(),
        _ => error.to_string(),
    };
    Failure::new(program, cause)
}

/// The one line of a program's last words that says most: its first error, else its last line.
fn cause_of(stderr: &str, status: ExitStatus) -> String {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines().find_map(|line| {
        // rustup and cargo, apt, and rustc with a code
        ["error: ", "E: "]
            .iter()
            .find_map(|prefix| line.strip_prefix(prefix))
            .or_else(|| line.starts_with("error[").then_some(line))
    });
    error.or_else(|| lines().next_back()).map_or_else(|| status.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = command("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn the_first_error_is_the_cause() {
        let script = "echo 'info: downloading' >&2; echo 'error: no route' >&2; \
                      echo 'help: try later' >&2; exit 1";
        assert_eq!(output(&mut shell(script)).unwrap_err().to_string(), "`sh`: no route");
    }

    #[test]
    fn without_an_error_the_last_line_is_the_cause() {
        let script = "printf 'one\\ntwo\\n\\n' >&2; exit 1";
        assert_eq!(output(&mut shell(script)).unwrap_err().to_string(), "`sh`: two");
    }

    #[test]
    fn without_a_word_the_exit_code_is_the_cause() {
        assert_eq!(output(&mut shell("exit 3")).unwrap_err().to_string(), "`sh`: exit status: 3");
    }

    #[test]
    fn a_program_that_is_not_there_says_so() {
        let failure = output(&mut command("/nowhere/frobnicate")).unwrap_err();
        assert_eq!(failure.to_string(), "`frobnicate`: not found");
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let failure = run_within(Duration::from_millis(100), &mut shell("exec sleep 60"));
        assert_eq!(failure.unwrap_err().to_string(), "`sh`: no answer in 0 s");
    }

    #[test]
    fn a_program_within_its_limit_may_fail_for_its_own_reason() {
        let failure = run_within(Duration::from_mins(1), &mut shell("echo 'E: gone' >&2; exit 9"));
        assert_eq!(failure.unwrap_err().to_string(), "`sh`: gone");
    }
}
