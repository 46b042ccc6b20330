//! Starts the real `mcpfn` in a folder of its own and speaks to it.

mod events;
mod http;
mod measure;
mod person;
mod prepared;
mod process;
mod session;
mod storage;

pub(crate) use self::{
    events::{Event, EventStream},
    http::Response,
    measure::{peak_resident_kib, processor_time, resident_kib},
    person::{Legacy, Modern, answer, askable, patient, text},
    prepared::{node_modules, peer, program, python, repository, version, version_text},
    process::{Builder, Host, Stdio, modern, request},
    session::{Session, get, message},
    storage::{Azurite, Kept, S3},
};
