//! A serverless-style function host for MCP tools.

pub mod binding;
pub mod config;
pub mod function;
pub mod gate;
pub mod guest;
pub mod invoke;
mod json;
mod nearest;
mod schema_error;
pub mod shutdown;
pub mod telemetry;

