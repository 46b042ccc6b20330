//! A serverless-style function host for MCP tools.
//!
//! Start reading at [`invoke`], the path of every invocation; then [`host`], where everything is put
//! together, and [`protocol`], where a message becomes an invocation. ARCHITECTURE.md has the map.

pub mod binding;
pub mod cli;
pub mod config;
pub mod function;
pub mod gate;
pub mod guest;
pub mod host;
pub mod invoke;
mod json;
mod local_key;
mod media_type;
mod nearest;
#[cfg(test)]
mod properties;
pub mod protocol;
mod schema_error;
pub mod shutdown;
pub mod state;
pub mod telemetry;
pub mod transport;
pub mod watch;

pub use self::host::Host;
