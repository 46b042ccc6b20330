//! The queues of an account, for the binding type that writes to them.

use std::{fmt, sync::Arc};

use object_store::{azure::AzureCredentialProvider, client::HttpClient};

use super::Account;
use crate::binding::blob::cloud::Scheme;

/// The queues of an account, and what signs and sends for them.
#[derive(Clone)]
pub(in crate::binding) struct QueueAccount {
    /// The account.
    pub(in crate::binding) name: String,
    /// What the names of queues are put behind, with a `/`.
    pub(in crate::binding) endpoint: String,
    pub(in crate::binding) credentials: AzureCredentialProvider,
    pub(in crate::binding) client: HttpClient,
}

impl fmt::Debug for QueueAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueAccount").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Account {
    /// Its queues.
    pub(in crate::binding::blob) fn queues(&self) -> Result<QueueAccount, String> {
        let Some(endpoint) = &self.queue_endpoint else {
            return Err(self.no_queues.to_owned());
        };
        let is_like_blobs = match Scheme::of(endpoint) {
            Some(Scheme::Https) => true,
            Some(Scheme::Http) => Scheme::of(&self.endpoint) == Some(Scheme::Http),
            None => false,
        };
        if !is_like_blobs {
            return Err("the queue endpoint of the connection string is no https address, or no http address beside \
                        blobs on http"
                .to_owned());
        }
        Ok(QueueAccount {
            name: self.name.clone(),
            endpoint: endpoint.clone(),
            credentials: Arc::clone(&self.credentials),
            client: self.pool.client(),
        })
    }
}
