//! Azure Blob Storage by connection string, and the making of containers, which `object_store` lacks.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use object_store::{
    BackoffConfig, ClientOptions, RetryConfig,
    azure::{
        AzureAccessKey, AzureAuthorizer, AzureCredential, AzureCredentialProvider,
        MicrosoftAzureBuilder, split_sas,
    },
    client::{
        HttpClient, HttpConnector, HttpRequest, HttpRequestBody, ReqwestConnector,
        StaticCredentialProvider,
    },
};

use super::{
    fault::Fault,
    object::{MakeContainer, Object},
};

/// The account that Azurite and its forerunners have, with its key, which is no secret.
/// <https://learn.microsoft.com/azure/storage/common/storage-connect-azurite>
const DEVELOPMENT: &str = "AccountName=devstoreaccount1;\
    AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;\
    BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;\
    QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1";

/// How long storage may be silent before it counts as dead. A transfer that goes on may take longer: the
/// invocation's deadline ends it.
const SILENCE: Duration = Duration::from_secs(10);

/// The most that one request carries: the client hears nothing while it sends, so each request has to be
/// done within [`SILENCE`], on a line of 1 Mbit/s too.
const BLOCK_BYTES: usize = 1024 * 1024;

/// One storage account; its containers share one pool of sockets.
#[derive(Debug)]
pub(super) struct Account {
    name: String,
    endpoint: String,
    /// Where its queues are, if that can be told.
    queue_endpoint: Option<String>,
    credentials: AzureCredentialProvider,
    options: ClientOptions,
    client: HttpClient,
}

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

impl std::fmt::Debug for QueueAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QueueAccount").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Makes a container of an account.
#[derive(Debug)]
struct Maker {
    name: String,
    account: Arc<Account>,
}

/// The container could not be made.
#[derive(Debug, thiserror::Error)]
#[error("container `{container}` could not be made: {status}")]
struct NotMade {
    container: String,
    status: String,
}

#[derive(Debug)]
struct SharedClient(HttpClient);

impl HttpConnector for SharedClient {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(self.0.clone())
    }
}

impl Account {
    /// Whether a text is meant as a connection string.
    pub(super) fn is_connection_string(text: &str) -> bool {
        let known = [
            "AccountName",
            "BlobEndpoint",
            "QueueEndpoint",
            "UseDevelopmentStorage",
            "SharedAccessSignature",
        ];
        known.iter().any(|key| field(text, key).is_some())
    }

    /// Whether a text holds what only a setting may hold.
    pub(super) fn is_secret(text: &str) -> bool {
        field(text, "AccountKey").is_some() || field(text, "SharedAccessSignature").is_some()
    }

    /// Reads a connection string. Errors never hold a part of it but the names of its fields.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        Self::parse_with(text, SILENCE)
    }

    fn parse_with(text: &str, silence: Duration) -> Result<Self, String> {
        let text = match field(text, "UseDevelopmentStorage") {
            Some(value) if value.eq_ignore_ascii_case("true") => DEVELOPMENT,
            _ => text,
        };
        let queue_endpoint = service_endpoint(text, "QueueEndpoint", "queue");
        // An account of queues alone has a signature for nothing else.
        let Some(endpoint) =
            service_endpoint(text, "BlobEndpoint", "blob").or(queue_endpoint.clone())
        else {
            return Err(
                "the connection string has no `AccountName` and no `BlobEndpoint`".to_owned()
            );
        };
        let Some((protocol @ ("http" | "https"), host)) = endpoint.split_once("://") else {
            return Err(
                "the blob endpoint of the connection string is no http or https address".to_owned()
            );
        };
        // A shared access signature signs for itself: any name will do.
        let name = field(text, "AccountName")
            .or(host.split(['.', ':', '/']).next())
            .unwrap_or_default()
            .to_owned();
        let credential = match (field(text, "AccountKey"), field(text, "SharedAccessSignature")) {
            (Some(key), _) => {
                let key = AzureAccessKey::try_new(key)
                    .map_err(|_| "`AccountKey` is not base64".to_owned())?;
                AzureCredential::AccessKey(key)
            }
            (None, Some(signature)) => {
                let pairs = split_sas(signature.trim_start_matches('?'));
                AzureCredential::SASToken(
                    pairs.map_err(|_| "`SharedAccessSignature` cannot be read".to_owned())?,
                )
            }
            (None, None) => {
                return Err(
                    "the connection string has no `AccountKey` and no `SharedAccessSignature`"
                        .to_owned(),
                );
            }
        };
        let options = ClientOptions::new()
            .with_allow_http(protocol == "http")
            .with_connect_timeout(Duration::from_secs(3))
            .with_read_timeout(silence)
            .with_timeout_disabled();
        let client = ReqwestConnector::default()
            .connect(&options)
            .map_err(|error| format!("no HTTP client could be made: {error}"))?;
        let credentials = Arc::new(StaticCredentialProvider::new(credential));
        Ok(Self { name, endpoint, queue_endpoint, credentials, options, client })
    }

    /// Its queues.
    pub(super) fn queues(&self) -> Result<QueueAccount, String> {
        let Some(endpoint) = &self.queue_endpoint else {
            return Err(
                "the connection string has no `AccountName` and no `QueueEndpoint`".to_owned()
            );
        };
        let is_like_blobs = endpoint.starts_with("https://")
            || self.endpoint.starts_with("http://") && endpoint.starts_with("http://");
        if !is_like_blobs {
            return Err("the queue endpoint of the connection string is no https address, or no http address beside \
                        blobs on http"
                .to_owned());
        }
        Ok(QueueAccount {
            name: self.name.clone(),
            endpoint: endpoint.clone(),
            credentials: Arc::clone(&self.credentials),
            client: self.client.clone(),
        })
    }
}

/// Opens a container, which need not exist. Nothing is sent.
pub(super) fn open(account: &Arc<Account>, name: &str) -> Result<Object, String> {
    // Less than `SILENCE`, so that nothing is tried again once storage was silent.
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(1),
            base: 2.0,
        },
        max_retries: 2,
        retry_timeout: Duration::from_secs(5),
    };
    let store = MicrosoftAzureBuilder::new()
        .with_account(&account.name)
        .with_endpoint(account.endpoint.clone())
        .with_allow_http(account.endpoint.starts_with("http:"))
        .with_credentials(Arc::clone(&account.credentials))
        .with_client_options(account.options.clone())
        .with_http_connector(SharedClient(account.client.clone()))
        .with_retry(retry)
        .with_container_name(name)
        .build()
        .map_err(|_| "the blob endpoint of the connection string cannot be used".to_owned())?;
    Ok(Object {
        store: Arc::new(store),
        folder: None,
        block_bytes: BLOCK_BYTES,
        maker: Some(Box::new(Maker { name: name.to_owned(), account: Arc::clone(account) })),
    })
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
        let credential = self.account.credentials.get_credential().await.map_err(Fault::other)?;
        AzureAuthorizer::new(&credential, &self.account.name)
            .try_authorize(&mut request)
            .map_err(Fault::other)?;
        let response = self.account.client.execute(request).await.map_err(Fault::other)?;
        match response.status().as_u16() {
            201 | 409 => Ok(()),
            _ => Err(Fault::other(NotMade {
                container: self.name.clone(),
                status: response.status().to_string(),
            })),
        }
    }
}

/// Where a service of the account is, as Azure finds it: as it is written, or by the name of the account.
fn service_endpoint(text: &str, key: &str, service: &str) -> Option<String> {
    if let Some(endpoint) = field(text, key) {
        return Some(endpoint.trim_end_matches('/').to_owned());
    }
    let account = field(text, "AccountName")?;
    let protocol = field(text, "DefaultEndpointsProtocol").unwrap_or("https");
    let suffix = field(text, "EndpointSuffix").unwrap_or("core.windows.net");
    Some(format!("{protocol}://{account}.{service}.{suffix}"))
}

/// A field of a connection string; names in any case, as Azure reads them.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let fields = text.split(';').filter_map(|field| field.split_once('='));
    let mut found = fields
        .filter(|(key, value)| key.trim().eq_ignore_ascii_case(name) && !value.trim().is_empty());
    found.next().map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::{TcpListener, TcpStream},
    };

    use bytes::Bytes;

    use super::*;
    use crate::{
        binding::{StorageFault, blob::store::About},
        function::Condition,
    };

    #[track_caller]
    fn check(text: &str, name: &str, endpoint: &str) {
        let account = Account::parse(text).unwrap();
        assert_eq!((account.name.as_str(), account.endpoint.as_str()), (name, endpoint));
    }

    #[test]
    fn connection_strings_are_read_as_azure_reads_them() {
        let development = "http://127.0.0.1:10000/devstoreaccount1";
        check("UseDevelopmentStorage=true", "devstoreaccount1", development);
        check("usedevelopmentstorage=True;", "devstoreaccount1", development);
        check("AccountName=a;AccountKey=YQ==", "a", "https://a.blob.core.windows.net");
        check(
            "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=YQ==;EndpointSuffix=x.cn;",
            "a",
            "http://a.blob.x.cn",
        );
        check(
            "BlobEndpoint=https://b.blob.core.windows.net/;SharedAccessSignature=sv=1&sig=a%3D;",
            "b",
            "https://b.blob.core.windows.net",
        );
    }

    async fn listen() -> (TcpListener, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let text = format!("AccountName=a;AccountKey=YQ==;BlobEndpoint=http://{address}/a");
        (listener, text)
    }

    fn container(account: Account) -> Object {
        open(&Arc::new(account), "snippets").unwrap()
    }

    async fn write(container: &Object, name: &str, bytes: Bytes) -> Result<(), Fault> {
        container.write(name, bytes, &Condition::Always, &About::default()).await.map(|_| ())
    }

    /// Answers each connection once, by what the request line holds, and keeps those lines.
    async fn serve(listener: TcpListener, lines: Arc<Mutex<Vec<String>>>) {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let head = read_request(&mut stream).await;
            let line = String::from_utf8_lossy(&head).lines().next().unwrap().to_owned();
            let made = lines.lock().unwrap().iter().any(|line| line.contains("restype=container"));
            let status = if line.contains("restype=container") || made {
                "201 Created"
            } else {
                "404 Not Found"
            };
            lines.lock().unwrap().push(line);
            let answer = format!(
                "HTTP/1.1 {status}\r\nETag: \"1\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    }

    /// The head of a request, once its body is read too.
    async fn read_request(stream: &mut TcpStream) -> Vec<u8> {
        let mut request = Vec::new();
        let head = loop {
            if let Some(end) = request.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
            assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0);
        };
        let text = String::from_utf8_lossy(&request[..head]).to_lowercase();
        let length = text.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
        let whole = head + length.map_or(0, |length| length.parse().unwrap());
        while request.len() < whole {
            assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0);
        }
        request.truncate(head);
        request
    }

    #[tokio::test]
    async fn a_missing_container_is_made_once_and_the_write_repeated() {
        let (listener, text) = listen().await;
        let lines = Arc::new(Mutex::new(Vec::new()));
        let server = tokio::spawn(serve(listener, Arc::clone(&lines)));
        let container = container(Account::parse(&text).unwrap());
        write(&container, "a%2Fb#1 é.json", Bytes::new()).await.unwrap();
        assert_eq!(
            *lines.lock().unwrap(),
            [
                "PUT /a/snippets/a%252Fb%231%20%C3%A9.json HTTP/1.1",
                "PUT /a/snippets?restype=container HTTP/1.1",
                "PUT /a/snippets/a%252Fb%231%20%C3%A9.json HTTP/1.1",
            ]
        );
        server.abort();
    }

    #[tokio::test]
    async fn a_large_blob_is_written_in_blocks_and_then_as_a_whole() {
        let (listener, text) = listen().await;
        let lines = Arc::new(Mutex::new(Vec::new()));
        let server = tokio::spawn(serve(listener, Arc::clone(&lines)));
        let container = container(Account::parse(&text).unwrap());
        let bytes = Bytes::from(vec![b'x'; 2 * BLOCK_BYTES + 1]);
        write(&container, "large", bytes).await.unwrap();
        let lines = lines.lock().unwrap();
        let kinds: Vec<_> = lines
            .iter()
            .map(|line| {
                let kinds = ["comp=blocklist", "comp=block&", "restype=container"];
                *kinds.iter().find(|kind| line.contains(**kind)).unwrap()
            })
            .collect();
        let (block, list) = ("comp=block&", "comp=blocklist");
        // The first block met no container.
        assert_eq!(kinds, [block, "restype=container", block, block, block, list], "{lines:?}");
        server.abort();
    }

    /// Answers a read with a byte at a time, and pauses before each.
    async fn trickle(listener: TcpListener, n_bytes: usize, pause: Duration) {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_request(&mut stream).await;
        let head = format!(
            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n\
             Content-Length: {n_bytes}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        for _ in 0..n_bytes {
            tokio::time::sleep(pause).await;
            stream.write_all(b"x").await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_transfer_that_goes_on_may_take_longer_than_silence_may() {
        let (listener, text) = listen().await;
        let silence = Duration::from_secs(1);
        let server = tokio::spawn(trickle(listener, 8, silence / 5));
        let container = container(Account::parse_with(&text, silence).unwrap());
        let (bytes, _) = container.read("slow", 100).await.unwrap().unwrap();
        assert_eq!(bytes, b"xxxxxxxx");
        server.await.unwrap();
    }

    #[tokio::test]
    async fn storage_that_says_nothing_counts_as_dead() {
        // Connections are made by the system; nobody takes them.
        let (_listener, text) = listen().await;
        let container = container(Account::parse_with(&text, Duration::from_millis(200)).unwrap());
        let both = async {
            let read = container.read("dead", 100).await;
            assert!(matches!(read, Err(Fault::Storage(StorageFault::Timeout, _))), "{read:?}");
            let written = write(&container, "dead", Bytes::from_static(b"x")).await;
            assert!(
                matches!(written, Err(Fault::Storage(StorageFault::Timeout, _))),
                "{written:?}"
            );
        };
        tokio::time::timeout(SILENCE, both).await.expect("silence is noticed");
    }
}
