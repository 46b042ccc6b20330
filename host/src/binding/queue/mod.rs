//! The binding type `queue`: messages for those who work after the call, as outputs.
//!
//! Names and limits are Azure's on every connection, so that what works on a folder works there too. [`azure`] sends,
//! [`folder`] keeps files that a worker of the same machine takes.

mod azure;
mod declaration;
mod folder;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;

use self::{azure::AzureQueue, declaration::Declared, folder::FolderQueue};
use super::{
    BindingData, BindingError, BindingType, DeclarationError, InputBinding, OutputBinding, Scope,
    Seen, Target,
    blob::{Blob, QueueService},
    config::fault,
};
use crate::function::BindingDecl;

/// The binding type `queue`.
#[derive(Debug)]
pub(super) struct Queues {
    blobs: Arc<Blob>,
}

/// One queue.
#[derive(Debug)]
struct QueueOutput {
    connection: String,
    queue: Queue,
    declared: Declared,
}

#[derive(Debug)]
enum Queue {
    Azure(AzureQueue),
    Folder(FolderQueue),
}

impl Queues {
    /// On the connections that blobs have.
    pub(super) fn new(blobs: Arc<Blob>) -> Self {
        Self { blobs }
    }
}

impl BindingType for Queues {
    fn name(&self) -> &'static str {
        "queue"
    }

    fn input(
        &self,
        _declaration: &BindingDecl,
        _scope: &Scope<'_>,
    ) -> Result<Box<dyn InputBinding>, DeclarationError> {
        Err(fault("direction", "a queue is written only (expected `out`)".to_owned()))
    }

    fn output(
        &self,
        declaration: &BindingDecl,
        scope: &Scope<'_>,
    ) -> Result<Box<dyn OutputBinding>, DeclarationError> {
        let setting = |name: &str| self.blobs.setting_of(name);
        let declared = Declared::output(declaration, &setting)?;
        let (connection, service) = self.blobs.queues(declared.connection.as_deref())?;
        let queue = match service {
            QueueService::Azure(account) => Queue::Azure(AzureQueue::new(account, &declared.queue)),
            QueueService::Folder(root) => {
                if declared.time_to_live.is_some() {
                    let notice = "`timeToLive`: a folder keeps a message until somebody takes it";
                    scope.notice(notice.to_owned());
                }
                Queue::Folder(FolderQueue::new(&root, &declared.queue))
            }
        };
        Ok(Box::new(QueueOutput { connection, queue, declared }))
    }
}

#[async_trait]
impl OutputBinding for QueueOutput {
    fn resolve(&self, _data: &BindingData<'_>) -> Result<Option<Target>, BindingError> {
        Ok(Some(Target::new(self.declared.queue.clone())))
    }

    async fn write(
        &self,
        _target: &Target,
        bytes: &[u8],
        _seen: Option<&Seen>,
    ) -> Result<(), BindingError> {
        let text = self.declared.text(bytes)?;
        let sent = match &self.queue {
            Queue::Azure(queue) => queue.put(&text, &self.declared).await,
            Queue::Folder(queue) => queue.put(bytes, self.declared.visibility).await,
        };
        sent.map_err(|(kind, source)| BindingError::Storage {
            connection: self.connection.clone(),
            kind,
            source,
        })
    }
}
