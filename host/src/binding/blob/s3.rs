//! S3 and what is compatible with it: a bucket for each container, or one bucket with a folder for each.

mod bucket;
#[cfg(test)]
mod tests;

use std::{fmt, net::Ipv4Addr, sync::Arc};

use object_store::{
    ObjectStore,
    aws::{AmazonS3Builder, AmazonS3ConfigKey, AwsCredentialProvider},
};

use super::{
    cloud::{self, Pool, Scheme},
    object::{Object, Versions},
    parts::Parts,
};

/// The smallest that a part of an upload may be, so that each is sent as soon as can be.
/// <https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html>
pub(super) const BLOCK_BYTES: usize = 5 * 1024 * 1024;

const PARTS: [&str; 6] =
    ["accessKeyId", "endpoint", "pathStyle", "region", "secretAccessKey", "sessionToken"];

/// Where the settings of the machine's identity go.
/// <https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html>
const IDENTITY: [(&str, AmazonS3ConfigKey); 8] = [
    ("AWS_WEB_IDENTITY_TOKEN_FILE", AmazonS3ConfigKey::WebIdentityTokenFile),
    ("AWS_ROLE_ARN", AmazonS3ConfigKey::RoleArn),
    ("AWS_ROLE_SESSION_NAME", AmazonS3ConfigKey::RoleSessionName),
    ("AWS_ENDPOINT_URL_STS", AmazonS3ConfigKey::StsEndpoint),
    ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", AmazonS3ConfigKey::ContainerCredentialsRelativeUri),
    ("AWS_CONTAINER_CREDENTIALS_FULL_URI", AmazonS3ConfigKey::ContainerCredentialsFullUri),
    ("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", AmazonS3ConfigKey::ContainerAuthorizationTokenFile),
    ("AWS_EC2_METADATA_SERVICE_ENDPOINT", AmazonS3ConfigKey::MetadataEndpoint),
];

/// One account at one service.
pub(super) struct Service {
    /// The bucket of all containers, and the folder in it; none: each has a bucket of its own.
    root: Option<Root>,
    region: String,
    /// None: Amazon's.
    endpoint: Option<String>,
    path_style: bool,
    credentials: AwsCredentialProvider,
    by: &'static str,
    pool: Pool,
}

/// A folder of a bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) bucket: String,
    pub(super) folder: String,
}

impl Root {
    /// What follows `s3:` or `gs:`. None: a bucket for each container.
    pub(super) fn parse(scheme: &str, rest: &str) -> Result<Option<Self>, String> {
        let has_slashes = rest.starts_with("//");
        let Some(rest) = rest.strip_prefix("//").or(rest.is_empty().then_some("")) else {
            return Err(format!(
                "cannot be read (expected `{scheme}:` or `{scheme}://BUCKET/FOLDER`)"
            ));
        };
        let (bucket, folder) = rest.split_once('/').unwrap_or((rest, ""));
        let folder = folder.trim_end_matches('/');
        if rest.contains('@') {
            return Err(format!(
                "a `{scheme}:` connection takes no key in its url (the keys are settings)"
            ));
        }
        if rest.contains(['?', '#']) {
            return Err(format!(
                "a `{scheme}:` connection takes no query (its details are settings)"
            ));
        }
        if rest.is_empty() && !has_slashes {
            return Ok(None);
        }
        let allowed =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '_');
        if !(3..=222).contains(&bucket.len()) || !bucket.chars().all(allowed) {
            return Err(format!(
                "the bucket of a `{scheme}:` connection has no valid name (expected `a` to `z`, `0` to `9`, `-` and `.`)"
            ));
        }
        if !folder.is_empty() && folder.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(format!(
                "the folder of a `{scheme}:` connection has an empty segment, `.` or `..`"
            ));
        }
        Ok(Some(Self { bucket: bucket.to_owned(), folder: folder.to_owned() }))
    }

    /// The folder of a container.
    pub(super) fn of(&self, container: &str) -> String {
        match self.folder.as_str() {
            "" => container.to_owned(),
            folder => format!("{folder}/{container}"),
        }
    }

    /// It as a url, for people.
    pub(super) fn url(root: Option<&Self>, scheme: &str) -> String {
        match root {
            None => format!("{scheme}:"),
            Some(Self { bucket, folder }) if folder.is_empty() => format!("{scheme}://{bucket}"),
            Some(Self { bucket, folder }) => format!("{scheme}://{bucket}/{folder}"),
        }
    }
}

impl Service {
    /// Reads what follows `s3:`, and the settings.
    pub(super) fn parse(rest: &str, parts: &Parts<'_>) -> Result<Self, String> {
        let root = Root::parse("s3", rest)?;
        parts.only("an `s3:` connection", &PARTS)?;
        let region = parts
            .get("region")
            .or_else(|| parts.setting("AWS_REGION"))
            .or_else(|| parts.setting("AWS_DEFAULT_REGION"))
            .map_or_else(|| "us-east-1".to_owned(), |region| region.trim().to_owned());
        if !region.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("the setting {} is no region", parts.name("region")));
        }
        let endpoint = endpoint(parts)?;
        let path_style = match parts.get("pathStyle").map(|text| text.trim().to_ascii_lowercase()) {
            None => endpoint.is_some(),
            Some(text) if text == "true" => true,
            Some(text) if text == "false" => false,
            Some(_) => {
                return Err(format!(
                    "the setting {} has an unknown value (expected `true`, `false`)",
                    parts.name("pathStyle")
                ));
            }
        };
        if !path_style && endpoint.as_deref().is_some_and(is_number) {
            return Err(format!(
                "the endpoint is a number, below which there are no names (remove the setting {}, or set it to `true`)",
                parts.name("pathStyle")
            ));
        }
        let scheme = endpoint.as_deref().map_or(Some(Scheme::Https), Scheme::of);
        let pool = Pool::new(scheme.expect("it was looked at before"))?;
        let (builder, by) = with_identity(AmazonS3Builder::new(), parts)?;
        // The store is there to make the credentials, which are the same for every bucket.
        let store = builder
            .with_region(&region)
            .with_bucket_name("any")
            .with_client_options(pool.options())
            .with_http_connector(pool.clone())
            .with_retry(cloud::retry())
            .build()
            .map_err(|_| "its credentials cannot be used".to_owned())?;
        let credentials = cloud::asked(Arc::clone(store.credentials()));
        Ok(Self { root, region, endpoint, path_style, credentials, by, pool })
    }

    /// Where it is, and by what it is reached, for people.
    pub(super) fn place(&self) -> String {
        let at = self.endpoint.as_deref().unwrap_or(&self.region);
        format!("{} at {at} ({})", Root::url(self.root.as_ref(), "s3"), self.by)
    }

    /// The address of a bucket.
    fn address(&self, bucket: &str) -> String {
        // A certificate for `*.s3...` does not hold for a name with dots.
        let by_path = self.path_style || (self.endpoint.is_none() && bucket.contains('.'));
        let amazon = || format!("https://s3.{}.amazonaws.com", self.region);
        let endpoint = self.endpoint.clone().unwrap_or_else(amazon);
        match endpoint.split_once("://") {
            Some((scheme, host)) if !by_path => format!("{scheme}://{bucket}.{host}"),
            _ => format!("{endpoint}/{bucket}"),
        }
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service").field("root", &self.root).finish_non_exhaustive()
    }
}

/// Whether the host of an address is a number.
fn is_number(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, host)| host);
    let host = host.split('/').next().unwrap_or_default();
    host.starts_with('[')
        || host.split(':').next().is_some_and(|host| host.parse::<Ipv4Addr>().is_ok())
}

/// Opens a container, which need not exist. Nothing is sent.
pub(super) fn open(service: &Arc<Service>, container: &str) -> Result<Object, String> {
    let bucket = service.root.as_ref().map_or(container, |root| root.bucket.as_str());
    let store = AmazonS3Builder::new()
        .with_region(&service.region)
        .with_bucket_name(bucket)
        .with_endpoint(service.address(bucket))
        // So that the endpoint is used as it is.
        .with_virtual_hosted_style_request(true)
        .with_credentials(Arc::clone(&service.credentials))
        // Many of the compatible ones do not have it, and there is one object at a time anyway.
        .with_disable_bulk_delete(true)
        .with_client_options(service.pool.options())
        .with_http_connector(service.pool.clone())
        .with_retry(cloud::retry())
        .build()
        .map_err(|_| "its address cannot be used".to_owned())?;
    let maker: Option<Box<dyn super::object::MakeContainer>> = match service.root {
        Some(_) => None,
        None => Some(Box::new(bucket::Maker::new(service, container))),
    };
    Ok(Object {
        store: Arc::new(store) as Arc<dyn ObjectStore>,
        folder: service.root.as_ref().map(|root| root.of(container)),
        block_bytes: BLOCK_BYTES,
        versions: Versions::Etags,
        maker,
    })
}

fn endpoint(parts: &Parts<'_>) -> Result<Option<String>, String> {
    let own = parts.get("endpoint").map(|value| (parts.name("endpoint"), value));
    let standard = || {
        ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]
            .iter()
            .find_map(|name| Some((format!("`{name}`"), parts.setting(name)?)))
    };
    let Some((name, value)) = own.or_else(standard) else { return Ok(None) };
    let address = value.trim().trim_end_matches('/');
    if Scheme::of(address).is_none() || address.contains(['@', '?', '#']) {
        return Err(format!("the setting {name} is no http or https address"));
    }
    Ok(Some(address.to_owned()))
}

fn with_identity(
    mut builder: AmazonS3Builder,
    parts: &Parts<'_>,
) -> Result<(AmazonS3Builder, &'static str), String> {
    let token = parts.get("sessionToken");
    if let Some((id, secret)) = parts.both(["accessKeyId", "secretAccessKey"])? {
        return Ok((with_keys(builder, &id, &secret, token), "access key"));
    }
    if token.is_some() {
        return Err(parts.lacks("sessionToken", "accessKeyId"));
    }
    let standard = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
    match standard.map(|name| parts.setting(name)) {
        [Some(id), Some(secret)] => {
            let token = parts.setting("AWS_SESSION_TOKEN");
            return Ok((with_keys(builder, &id, &secret, token), "access key"));
        }
        [None, None] => {}
        [id, _] => {
            let (there, missing) = if id.is_some() { (0, 1) } else { (1, 0) };
            return Err(format!(
                "the setting `{}` needs `{}` beside it, which has no value",
                standard[there], standard[missing]
            ));
        }
    }
    for (name, key) in IDENTITY {
        if let Some(value) = parts.setting(name) {
            builder = builder.with_config(key, value);
        }
    }
    Ok((builder, "identity of the machine"))
}

fn with_keys(
    builder: AmazonS3Builder,
    id: &str,
    secret: &str,
    token: Option<String>,
) -> AmazonS3Builder {
    let builder = builder.with_access_key_id(id.trim()).with_secret_access_key(secret.trim());
    match token {
        Some(token) => builder.with_token(token.trim()),
        None => builder,
    }
}
