//! Starts the real `mcpfn` in a folder of its own and speaks to it.

mod events;
mod http;
mod person;
mod prepared;
mod process;

pub(crate) use self::{
    events::EventStream,
    http::Response,
    person::{Legacy, Modern, answer, askable, patient, text},
    prepared::{node_modules, peer, program, python, repository, version, version_text},
    process::{Builder, Host, Stdio, modern, request},
};
