//! What the measuring programs share: servers that are started and sampled, and a client that loads them.

pub mod connection;
pub mod cores;
pub mod exchange;
pub mod folder;
pub mod load;
pub mod machine;
pub mod plot;
pub mod programs;
pub mod sample;
pub mod server;
pub mod snippets;
pub mod statistics;
pub mod variants;
