//! Tools that may run in the background.

use std::{
    thread,
    time::{Duration, Instant},
};

use mcpfn_sdk::{Ask, Stop, ToolArguments, mcp_tool, progress};

use crate::asking::Name;

/// A form with yes or no.
#[derive(ToolArguments)]
struct Confirmation {
    /// Whether to go on.
    confirm: bool,
}

/// Greets somebody; never in the background.
#[mcp_tool]
pub(crate) fn greet(
    /// Whom to greet.
    #[arg(default = "World")]
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Computes for a while.
#[mcp_tool(task = "optional")]
pub(crate) fn slow_compute(
    /// How long, in seconds.
    #[arg(default = 0, min = 0, max = 3600)]
    seconds: f64,
    /// What it is called.
    #[arg(default = "computation")]
    label: String,
) -> String {
    let (begin, end) = (Instant::now(), Duration::from_secs_f64(seconds));
    while let Some(rest) = end.checked_sub(begin.elapsed()).filter(|rest| !rest.is_zero()) {
        progress::report(begin.elapsed().as_secs_f64(), Some(seconds), Some(&label));
        thread::sleep(rest.min(Duration::from_millis(250)));
    }
    format!("{label}: computed for {seconds} s")
}

/// Fails after a second; only in the background.
#[mcp_tool(task = "required")]
pub(crate) fn failing_job() -> Result<(), &'static str> {
    thread::sleep(Duration::from_secs(1));
    Err("This job intentionally fails")
}

/// Ends without a result of any kind.
#[mcp_tool(task = "optional")]
pub(crate) fn protocol_error_job() {
    panic!("this job intentionally panics");
}

/// Asks before it deletes a file. There is no file.
#[mcp_tool(task = "optional")]
pub(crate) fn confirm_delete(
    ask: Ask,
    /// The file.
    #[arg(default = "example.txt")]
    filename: String,
) -> Result<String, Stop> {
    let Confirmation { confirm } = ask.form("confirm", &format!("Delete {filename}?"))?;
    Ok(if confirm { format!("Deleted {filename}.") } else { format!("Kept {filename}.") })
}

/// Asks for two names at once.
#[mcp_tool(task = "optional")]
pub(crate) fn multi_input(ask: Ask) -> Result<String, Stop> {
    let first = ask.form::<Name>("first", "What is the first name?");
    let second = ask.form::<Name>("second", "What is the second name?");
    let (first, second) = (first?, second?);
    Ok(format!("{} and {}", first.name, second.name))
}

/// Asks for a name, then goes on in the background.
#[mcp_tool(task = "after_input")]
pub(crate) fn test_tool_with_task(ask: Ask) -> Result<String, Stop> {
    let Name { name } = ask.form("user_name", "What is your name?")?;
    thread::sleep(Duration::from_millis(500));
    Ok(format!("Hello, {name}! The task is done."))
}
