//! Starts the real `mcpfn` in a folder of its own and speaks to it.

mod http;
mod prepared;
mod process;

pub(crate) use self::{
    http::Response,
    prepared::{node_modules, peer, program, python, repository, version, version_text},
    process::{Builder, Host, Stdio, modern},
};
