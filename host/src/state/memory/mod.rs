//! State in the memory of one host: gone when it ends.

mod mailbox;
mod tasks;

pub use self::{mailbox::MemoryMailbox, tasks::MemoryTasks};
