//! Azure Blob Storage, and the making of containers, which `object_store` lacks.

mod identity;
mod queues;
#[cfg(test)]
mod tests;
mod text;

pub(in crate::binding) use self::queues::QueueAccount;

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use object_store::{
    ObjectStore,
    azure::{AzureAuthorizer, AzureCredential, AzureCredentialProvider, MicrosoftAzureBuilder},
    client::{HttpRequest, HttpRequestBody, StaticCredentialProvider},
};

use super::{
    cloud::{self, Pool},
    fault::Fault,
    object::{MakeContainer, Object, Versions},
    parts::Parts,
};

/// The most that one request carries: the client hears nothing while it sends, so each request has to be
/// done within [`cloud::SILENCE`], on a line of 1 Mbit/s too.
const BLOCK_BYTES: usize = 1024 * 1024;

/// One storage account; its containers share one pool of sockets.
pub(super) struct Account {
    name: String,
    endpoint: String,
    /// Where its queues are, if that can be told.
    queue_endpoint: Option<String>,
    /// What to say if it cannot.
    no_queues: &'static str,
    credentials: AzureCredentialProvider,
    /// How it proves who it is, for people.
    by: &'static str,
    pool: Pool,
}

/// Makes a container of an account.
#[derive(Debug)]
struct Maker {
    name: String,
    account: Arc<Account>,
}

/// The container could not be made.
#[derive(Debug, thiserror::Error)]
#[error("container `{container}` could not be made: status code: {status}")]
struct NotMade {
    container: String,
    status: u16,
}

impl Account {
    /// Whether a text is meant as a connection string.
    pub(super) fn is_connection_string(text: &str) -> bool {
        text::is_connection_string(text)
    }

    /// Whether a text holds what only a setting may hold.
    pub(super) fn is_secret(text: &str) -> bool {
        text::is_secret(text)
    }

    /// Reads a connection string. Errors never hold a part of it but the names of its fields.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let read = text::read(text)?;
        let pool = Pool::new(read.scheme)?;
        Ok(Self::with_credential(read, pool))
    }

    fn with_credential(read: text::Read, pool: Pool) -> Self {
        let text::Read { name, endpoint, queue_endpoint, credential, scheme: _ } = read;
        let by = match credential {
            AzureCredential::SASToken(_) => "shared access signature",
            _ => "account key",
        };
        let credentials = Arc::new(StaticCredentialProvider::new(credential));
        let no_queues = "the connection string has no `AccountName` and no `QueueEndpoint`";
        Self { name, endpoint, queue_endpoint, no_queues, credentials, by, pool }
    }

    /// An account that is named by parts of the connection, with an identity. None: none of them does.
    pub(super) fn by_identity(parts: &Parts<'_>) -> Option<Result<Self, String>> {
        identity::account(parts)
    }

    /// An account that is named by a url, with an identity.
    pub(super) fn named(name: &str, parts: &Parts<'_>) -> Result<Self, String> {
        identity::named(name, parts)
    }

    /// Where it is, and by what it is reached, for people.
    pub(super) fn place(&self) -> String {
        format!("{} ({})", self.endpoint, self.by)
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

/// Opens a container, which need not exist. Nothing is sent.
pub(super) fn open(account: &Arc<Account>, name: &str) -> Result<Object, String> {
    let store = builder(&account.name, &account.endpoint, &account.pool)
        .with_credentials(Arc::clone(&account.credentials))
        .with_container_name(name)
        .build()
        .map_err(|_| "the blob endpoint cannot be used as an address".to_owned())?;
    Ok(Object {
        store: Arc::new(store) as Arc<dyn ObjectStore>,
        folder: None,
        block_bytes: BLOCK_BYTES,
        versions: Versions::Etags,
        maker: Some(Box::new(Maker { name: name.to_owned(), account: Arc::clone(account) })),
    })
}

fn builder(account: &str, endpoint: &str, pool: &Pool) -> MicrosoftAzureBuilder {
    MicrosoftAzureBuilder::new()
        .with_account(account)
        .with_endpoint(endpoint.to_owned())
        .with_client_options(pool.options())
        .with_http_connector(pool.clone())
        .with_retry(cloud::retry())
}

#[async_trait]
impl MakeContainer for Maker {
    /// Create Container of the REST interface; another host may have been faster.
    /// <https://learn.microsoft.com/rest/api/storageservices/create-container>
    async fn make(&self) -> Result<(), Fault> {
        let uri = format!("{}/{}?restype=container", self.account.endpoint, self.name);
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.method_mut() = "PUT".parse().expect("a method of HTTP");
        *request.uri_mut() = uri.parse().map_err(Fault::other)?;
        let credential =
            self.account.credentials.get_credential().await.map_err(Fault::of_store)?;
        AzureAuthorizer::new(&credential, &self.account.name)
            .try_authorize(&mut request)
            .map_err(Fault::other)?;
        let response = self.account.pool.send(request).await.map_err(Fault::other)?;
        match response.status().as_u16() {
            201 | 409 => Ok(()),
            status => Err(Fault::other(NotMade { container: self.name.clone(), status })),
        }
    }
}
