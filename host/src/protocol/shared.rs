//! What all versions of the protocol share, for as long as the process runs.

use std::sync::Arc;

use super::{changes::Changes, tasks::Runner};
use crate::state::{Mailbox, Sealer, TaskStore};

/// What outlives a reload: whom changes are told to, letters, tasks, and the key of what clients carry.
#[derive(Clone, Debug)]
pub struct Shared {
    pub(super) changes: Arc<Changes>,
    pub(super) mailbox: Arc<dyn Mailbox>,
    pub(super) tasks: Arc<Runner>,
    pub(super) sealer: Arc<Sealer>,
}

impl Shared {
    /// Over this state.
    pub fn new(mailbox: Arc<dyn Mailbox>, tasks: Arc<dyn TaskStore>, sealer: Sealer) -> Self {
        let changes = Arc::<Changes>::default();
        let tasks = Runner::new(tasks, Arc::clone(&mailbox), Arc::clone(&changes));
        Self { changes, mailbox, tasks: Arc::new(tasks), sealer: Arc::new(sealer) }
    }
}
