//! What a tool can tell while it runs: log lines, progress, changes.

use std::{thread, time::Duration};

use mcpfn_sdk::{changes, log, mcp_tool, progress};

fn pause() {
    thread::sleep(Duration::from_millis(50));
}

/// Logs three lines while it runs.
#[mcp_tool]
pub(crate) fn test_tool_with_logging() -> &'static str {
    log::info!("Tool execution started");
    pause();
    log::info!("Tool processing data");
    pause();
    log::info!("Tool execution completed");
    "Tool with logging executed successfully"
}

/// Logs a line of every level.
#[mcp_tool]
pub(crate) fn test_logging_tool() -> &'static str {
    log::trace!("a line of level trace");
    log::debug!("a line of level debug");
    log::info!("a line of level info");
    log::warn!("a line of level warn");
    log::error!("a line of level error");
    "logged"
}

/// Reports its progress in three steps.
#[mcp_tool]
pub(crate) fn test_tool_with_progress() -> &'static str {
    progress::report(0, Some(100.0), None);
    pause();
    progress::report(50, Some(100.0), None);
    pause();
    progress::report(100, Some(100.0), None);
    // A client may see no report that comes in one piece with the result.
    pause();
    "Tool with progress executed successfully"
}

/// Takes two seconds, so that a client can lose the connection and come back.
#[mcp_tool]
pub(crate) fn test_reconnection() -> &'static str {
    thread::sleep(Duration::from_secs(2));
    "Reconnection test completed"
}

/// Tells clients that the list of tools has changed.
#[mcp_tool]
pub(crate) fn test_trigger_tool_change() -> &'static str {
    changes::tools();
    "the list of tools is said to have changed"
}

/// Tells clients that the list of prompts has changed.
#[mcp_tool]
pub(crate) fn test_trigger_prompt_change() -> &'static str {
    changes::prompts();
    "the list of prompts is said to have changed"
}

/// Tells clients that the list of resources has changed.
#[mcp_tool]
pub(crate) fn test_trigger_resource_change() -> &'static str {
    changes::resources();
    "the list of resources is said to have changed"
}

/// Tells those who watch a resource that it has changed.
#[mcp_tool]
pub(crate) fn test_trigger_resource_update(
    /// The resource.
    #[arg(default = "test://watched-resource")]
    uri: String,
) -> String {
    changes::resource_updated(&uri);
    format!("{uri} is said to have changed")
}
