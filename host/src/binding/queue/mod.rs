//! The binding type `queue`: messages for those who work after the call, as outputs.
//!
//! Names and limits are Azure's on every connection, so that what works on a folder works there too. [`azure`] sends,
//! [`folder`] keeps files that a worker of the same machine takes.

mod azure;
mod declaration;
mod folder;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    error::Error,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use futures_util::future::join_all;
use tokio::time::timeout;

use self::{azure::AzureQueue, declaration::Declared, folder::FolderQueue};
use super::{
    BindingData, BindingError, BindingType, DeclarationError, Finding, InputBinding, OutputBinding,
    Probe, Scope, Seen, StorageFault, Target,
    blob::{Blob, QueueService},
    config::fault,
};
use crate::function::BindingDecl;

/// What is known of a failure, and its detail, which holds no secret.
type Fault = (StorageFault, Box<dyn Error + Send + Sync>);

/// The binding type `queue`.
#[derive(Debug)]
pub(super) struct Queues {
    blobs: Arc<Blob>,
    /// By the names of connection and queue.
    used: Mutex<BTreeMap<(String, String), Arc<Queue>>>,
}

/// One queue.
#[derive(Debug)]
struct QueueOutput {
    connection: String,
    queue: Arc<Queue>,
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
        Self { blobs, used: Mutex::default() }
    }
}

#[async_trait]
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
        let (connection, key, service) = self.blobs.queues(declared.connection.as_deref())?;
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
        let queue = Arc::new(queue);
        let mut used = self.used.lock().expect("no thread panics while it holds the lock");
        used.insert((key, declared.queue.clone()), Arc::clone(&queue));
        Ok(Box::new(QueueOutput { connection, queue, declared }))
    }

    async fn probe(&self) -> Vec<Probe> {
        let used = self.used.lock().expect("no thread panics while it holds the lock").clone();
        join_all(used.into_iter().map(async |((connection, name), queue)| Probe {
            connection,
            kind: "queue",
            // That of its connection.
            place: String::new(),
            findings: vec![Finding { at: format!("queue {name}"), found: queue.probe().await }],
        }))
        .await
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
        let sent = match &*self.queue {
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

impl Queue {
    async fn probe(&self) -> Result<String, String> {
        let there = async {
            match self {
                Self::Azure(queue) => queue.is_there().await,
                Self::Folder(queue) => queue.is_there().await,
            }
        };
        match timeout(Probe::MAX_TIME, there).await {
            Ok(Ok(true)) => Ok("there".to_owned()),
            Ok(Ok(false)) => Ok("not there yet (it is made at the first message)".to_owned()),
            Ok(Err((kind, detail))) => Err(format!("{kind} ({detail})")),
            Err(_) => Err(StorageFault::Timeout.to_string()),
        }
    }
}
