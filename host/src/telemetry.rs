//! The log: who subscribes, the spans, and the names of their fields.

mod writer;

use std::{io::IsTerminal, net::SocketAddr, time::Duration};

use tracing::{Level, Span, debug_span};
use tracing_subscriber::{EnvFilter, fmt, util::SubscriberInitExt};

pub use self::writer::Guard;

/// The log's own target for what guests print and log, so that it can be filtered by itself.
pub const GUEST: &str = "guest";

/// `object_store` says of each request that it tries it again; what comes of it is logged anyway.
const DEFAULT: &str = "info,object_store=warn";

/// Writes the log to standard error: standard output belongs to the protocol when it is on stdio.
///
/// `filter` is in the syntax of `tracing_subscriber::EnvFilter`; a filter that cannot be read is an error.
///
/// Lines are written by a thread of their own, which the guard ends. Where nobody reads them they are
/// dropped: no call waits for the log, or fails with it.
pub fn install(filter: Option<&str>, color: bool) -> Result<Guard, String> {
    let filter =
        EnvFilter::try_new(filter.unwrap_or(DEFAULT)).map_err(|error| error.to_string())?;
    let (writer, guard) = writer::start(std::io::stderr()).map_err(|error| error.to_string())?;
    fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .with_ansi(color && std::io::stderr().is_terminal())
        .with_target(false)
        .finish()
        .try_init()
        .map_err(|error| error.to_string())?;
    Ok(guard)
}

// Spans are for those who look closely: at the default level there are none, since keeping three of them costs a
// call a sixth of its time. What is logged of an invocation by default names it in a field.

/// One connection of a client.
pub fn connection(client: SocketAddr) -> Span {
    debug_span!("connection", client.addr = %client)
}

/// One request, by a method that is served: what a client made up belongs in no log.
pub fn request(method: &'static str) -> Span {
    debug_span!("request", mcp.method = method)
}

/// One invocation.
pub fn invocation(id: &str, function: &str) -> Span {
    debug_span!("invocation", id, function)
}

/// Reading or writing one binding.
pub fn binding(name: &str, direction: &'static str) -> Span {
    debug_span!("binding", name, direction)
}

/// The run of a guest, from its instance to its answer.
pub fn guest() -> Span {
    debug_span!("guest")
}

/// The one line of an invocation that ended.
pub fn invoked(invocation: &str, tool: &str, outcome: &'static str, duration: Duration) {
    // Whole microseconds: a float would be written with every digit of its error.
    let duration_us = duration.as_micros();
    tracing::info!(invocation, tool, outcome, duration_us, "invoked");
}

/// A line that a guest wrote to a stream. Without an invocation, it was describing its functions.
pub fn guest_line(tool: &str, invocation: Option<&str>, stream: &str, line: &str) {
    tracing::info!(target: GUEST, tool, invocation, stream, "{line}");
}

/// A line that a guest logged.
pub fn guest_log(level: Level, tool: &str, invocation: Option<&str>, line: &str) {
    match level {
        Level::TRACE => tracing::trace!(target: GUEST, tool, invocation, "{line}"),
        Level::DEBUG => tracing::debug!(target: GUEST, tool, invocation, "{line}"),
        Level::INFO => tracing::info!(target: GUEST, tool, invocation, "{line}"),
        Level::WARN => tracing::warn!(target: GUEST, tool, invocation, "{line}"),
        Level::ERROR => tracing::error!(target: GUEST, tool, invocation, "{line}"),
    }
}

/// A guest printed more than one invocation may.
pub fn guest_output_dropped(tool: &str, invocation: Option<&str>, limit: usize) {
    tracing::warn!(target: GUEST, tool, invocation, limit, "prints too much: the rest is dropped");
}
