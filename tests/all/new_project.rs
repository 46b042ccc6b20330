//! The way of a tool author who has only the program: new, build, call, by the lines that are printed.

use std::{path::Path, process::Stdio, time::Duration};

use tempfile::TempDir;
use tokio::{process::Command, time::timeout};

/// A cold build of a tool compiles 34 crates, beside everything else that a test run does.
const DEADLINE: Duration = Duration::from_mins(5);

/// Runs a line as the user's shell would.
async fn shell(folder: &Path, line: &str) -> String {
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .current_dir(folder)
        // The project's own, as for its author.
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("AzureWebJobsStorage")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output =
        timeout(DEADLINE, command.output()).await.expect("it ends in time").expect("it starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "`{line}` ended with {}:\n{stderr}", output.status);
    String::from_utf8(output.stdout).expect("the output is text")
}

#[tokio::test]
async fn following_what_is_printed_a_new_project_builds_and_answers() {
    let folder = TempDir::new().expect("a folder");
    let printed =
        shell(folder.path(), &format!("{} new my-tools", env!("CARGO_BIN_EXE_mcpfn"))).await;
    let lines: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let [cd, build, call, start] = lines[..] else { panic!("four lines are printed: {printed}") };
    assert_eq!(cd, "cd my-tools");
    assert!(start.ends_with(" start"), "{start}");
    let told = shell(folder.path(), &format!("{cd} && {build}")).await;
    assert!(told.contains("functions/my_tools.wasm ("), "{told}");
    assert!(!told.contains("warning:"), "{told}");
    let reply = shell(folder.path(), &format!("{cd} && {call}")).await;
    assert!(reply.contains("milk"), "{reply}");
}
