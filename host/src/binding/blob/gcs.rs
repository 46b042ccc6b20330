//! Google Cloud Storage: one bucket with a folder for each container, or a bucket for each, which has to be there.

#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc};

use object_store::{
    ObjectStore,
    gcp::{GcpCredentialProvider, GoogleCloudStorageBuilder},
};

use super::{
    cloud::{self, Pool, Scheme},
    object::{Object, Versions},
    parts::Parts,
    s3::{self, Root},
};

const PARTS: [&str; 2] = ["endpoint", "serviceAccountKey"];

/// One account at Google.
pub(super) struct Service {
    root: Option<Root>,
    /// None: Google's. An endpoint without a key is that of an emulator, which takes unsigned requests.
    endpoint: Option<String>,
    /// None: unsigned.
    credentials: Option<GcpCredentialProvider>,
    by: &'static str,
    pool: Pool,
}

impl Service {
    /// Reads what follows `gs:`, and the settings.
    pub(super) fn parse(rest: &str, parts: &Parts<'_>) -> Result<Self, String> {
        let root = Root::parse("gs", rest)?;
        parts.only("a `gs:` connection", &PARTS)?;
        let endpoint = match parts.get("endpoint") {
            None => None,
            Some(value) => {
                let address = value.trim().trim_end_matches('/');
                if Scheme::of(address).is_none() || address.contains(['@', '?', '#']) {
                    return Err(format!(
                        "the setting {} is no http or https address",
                        parts.name("endpoint")
                    ));
                }
                Some(address.to_owned())
            }
        };
        let scheme = endpoint.as_deref().map_or(Some(Scheme::Https), Scheme::of);
        let pool = Pool::new(scheme.expect("it was looked at before"))?;
        let builder = GoogleCloudStorageBuilder::new().with_bucket_name("any");
        let (builder, by, unusable) = match parts.get("serviceAccountKey") {
            Some(key) => (
                builder.with_service_account_key(key),
                "service account key",
                format!(
                    "the setting {} is no service account key (expected the JSON that Google gives)",
                    parts.name("serviceAccountKey")
                ),
            ),
            None if endpoint.is_some() => {
                return Ok(Self { root, endpoint, credentials: None, by: "unsigned", pool });
            }
            None => match parts.setting("GOOGLE_APPLICATION_CREDENTIALS") {
                Some(file) => (
                    builder.with_application_credentials(file),
                    "application default credentials",
                    "the file that `GOOGLE_APPLICATION_CREDENTIALS` names holds no usable credentials"
                        .to_owned(),
                ),
                None => (
                    builder,
                    "application default credentials",
                    "the application default credentials of this user cannot be used".to_owned(),
                ),
            },
        };
        // The store is there to make the credentials, which are the same for every bucket.
        let store = builder
            .with_client_options(pool.options())
            .with_http_connector(pool.clone())
            .with_retry(cloud::retry())
            .build()
            .map_err(|_| unusable)?;
        let credentials = Some(cloud::asked(Arc::clone(store.credentials())));
        Ok(Self { root, endpoint, credentials, by, pool })
    }

    /// Where it is, and by what it is reached, for people.
    pub(super) fn place(&self) -> String {
        let at = self.endpoint.as_ref().map(|endpoint| format!(" at {endpoint}"));
        let url = Root::url(self.root.as_ref(), "gs");
        format!("{url}{} ({})", at.unwrap_or_default(), self.by)
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("root", &self.root).finish_non_exhaustive()
    }
}

/// Opens a container. Nothing is sent.
pub(super) fn open(service: &Arc<Service>, container: &str) -> Result<Object, String> {
    let bucket = service.root.as_ref().map_or(container, |root| root.bucket.as_str());
    let builder = GoogleCloudStorageBuilder::new();
    let builder = match &service.credentials {
        Some(credentials) => builder.with_credentials(Arc::clone(credentials)),
        // A token, so that this machine's credentials are not looked for.
        None => builder.with_bearer_token("").with_skip_signature(true),
    };
    let builder = match &service.endpoint {
        Some(endpoint) => builder.with_base_url(endpoint),
        None => builder,
    };
    let store = builder
        .with_bucket_name(bucket)
        .with_client_options(service.pool.options())
        .with_http_connector(service.pool.clone())
        .with_retry(cloud::retry())
        .build()
        .map_err(|_| "its address cannot be used".to_owned())?;
    Ok(Object {
        store: Arc::new(store) as Arc<dyn ObjectStore>,
        folder: service.root.as_ref().map(|root| root.of(container)),
        block_bytes: s3::BLOCK_BYTES,
        versions: Versions::Generations,
        maker: None,
    })
}
