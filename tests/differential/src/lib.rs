//! The same messages for the host and for the official Rust SDK, and what differs in the answers.

pub mod answer;
pub mod differences;
pub mod exchange;
pub mod messages;
#[cfg(feature = "peers")]
pub mod reference;
