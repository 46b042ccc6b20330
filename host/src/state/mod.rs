//! What outlives a request: letters between requests, tasks, and what is handed to clients sealed.
//!
//! A host keeps nothing that another one needs: what is kept stands behind the traits [`Mailbox`] and [`TaskStore`],
//! and what clients carry from one request to the next is sealed by a [`Sealer`], which every host with the same key
//! can open.

mod mailbox;
mod memory;
mod seal;
mod task;

pub use self::{
    mailbox::{Address, Full, Letter, Mailbox},
    memory::{MemoryMailbox, MemoryTasks},
    seal::{Opened, Sealer},
    task::{Task, TaskEnd, TaskId, TaskQuestion, TaskStatus, TaskStore, TooManyTasks},
};
