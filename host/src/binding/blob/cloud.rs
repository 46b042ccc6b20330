//! What all cloud services share: one pool of sockets for each connection, how long to wait, what to try again.

mod once;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use object_store::{
    BackoffConfig, ClientConfigKey, ClientOptions, CredentialProvider, Error, RetryConfig,
    client::{HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, ReqwestConnector},
};

use self::once::Once;

/// How long storage may be silent before it counts as dead. A transfer that goes on may take longer: the
/// invocation's deadline ends it.
pub(super) const SILENCE: Duration = Duration::from_secs(10);

/// The sockets of one connection.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    options: ClientOptions,
    client: HttpClient,
}

/// Where requests go: plain HTTP only where an address asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Http,
    Https,
}

/// Credentials that this machine has to ask for. Where it gets none, it is not the storage that cannot be reached.
#[derive(Debug)]
struct Asked<P>(P);

impl Scheme {
    /// The scheme of an address; none: it is no address of HTTP.
    pub(super) fn of(address: &str) -> Option<Self> {
        let (scheme, rest) = address.split_once("://")?;
        if rest.is_empty() || rest.starts_with(['/', '?', ':']) {
            return None;
        }
        match scheme {
            "http" => Some(Self::Http),
            "https" => Some(Self::Https),
            _ => None,
        }
    }
}

impl Pool {
    pub(super) fn new(scheme: Scheme) -> Result<Self, String> {
        Self::with_silence(scheme, SILENCE)
    }

    pub(super) fn with_silence(scheme: Scheme, silence: Duration) -> Result<Self, String> {
        let options = ClientOptions::new()
            .with_allow_http(scheme == Scheme::Http)
            .with_connect_timeout(Duration::from_secs(3))
            .with_read_timeout(silence)
            .with_timeout_disabled();
        let client = ReqwestConnector::default()
            .connect(&options)
            .map_err(|error| format!("no HTTP client could be made: {error}"))?;
        Ok(Self { options, client: HttpClient::new(Once(client)) })
    }

    /// What a store of this connection is made with.
    pub(super) fn options(&self) -> ClientOptions {
        self.options.clone()
    }

    /// What sends, for requests that are made elsewhere.
    pub(super) fn client(&self) -> HttpClient {
        self.client.clone()
    }

    /// Sends a request once.
    pub(super) async fn send(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        self.client.execute(request).await
    }
}

impl HttpConnector for Pool {
    /// Machines tell their credentials over plain HTTP and near by, so those requests have a client of their own.
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let http = |options: &ClientOptions| options.get_config_value(&ClientConfigKey::AllowHttp);
        if http(options) == http(&self.options) {
            return Ok(self.client.clone());
        }
        ReqwestConnector::default().connect(options)
    }
}

/// Less than [`SILENCE`], so that nothing is tried again once storage was silent.
pub(super) fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(1),
            base: 2.0,
        },
        max_retries: 2,
        retry_timeout: Duration::from_secs(5),
    }
}

/// Credentials that are asked for when they are needed, and shared by all containers of a connection.
pub(super) fn asked<C: Send + Sync + 'static>(
    provider: Arc<dyn CredentialProvider<Credential = C>>,
) -> Arc<dyn CredentialProvider<Credential = C>> {
    Arc::new(Asked(provider))
}

#[async_trait]
impl<C: Send + Sync + 'static> CredentialProvider
    for Asked<Arc<dyn CredentialProvider<Credential = C>>>
{
    type Credential = C;

    async fn get_credential(&self) -> object_store::Result<Arc<C>> {
        self.0.get_credential().await.map_err(|error| Error::Unauthenticated {
            path: "the credentials of this machine".to_owned(),
            source: error.into(),
        })
    }
}
