//! Azure's connection strings.

use object_store::azure::{AzureAccessKey, AzureCredential, split_sas};

use crate::binding::blob::cloud::Scheme;

/// The account that Azurite and its forerunners have, with its key, which is no secret.
/// <https://learn.microsoft.com/azure/storage/common/storage-connect-azurite>
const DEVELOPMENT: &str = "AccountName=devstoreaccount1;\
    AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;\
    BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;\
    QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1";

/// What a connection string says.
pub(super) struct Read {
    pub(super) name: String,
    pub(super) endpoint: String,
    /// Where its queues are, if that can be told.
    pub(super) queue_endpoint: Option<String>,
    pub(super) scheme: Scheme,
    pub(super) credential: AzureCredential,
}

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

pub(super) fn is_secret(text: &str) -> bool {
    field(text, "AccountKey").is_some() || field(text, "SharedAccessSignature").is_some()
}

/// Reads it. Errors never hold a part of it but the names of its fields.
pub(super) fn read(text: &str) -> Result<Read, String> {
    let text = match field(text, "UseDevelopmentStorage") {
        Some(value) if value.eq_ignore_ascii_case("true") => DEVELOPMENT,
        _ => text,
    };
    let queue_endpoint = service_endpoint(text, "QueueEndpoint", "queue");
    // An account of queues alone has a signature for nothing else.
    let Some(endpoint) = service_endpoint(text, "BlobEndpoint", "blob").or(queue_endpoint.clone())
    else {
        return Err("the connection string has no `AccountName` and no `BlobEndpoint`".to_owned());
    };
    let Some(scheme) = Scheme::of(&endpoint) else {
        return Err(
            "the blob endpoint of the connection string is no http or https address".to_owned()
        );
    };
    // It is told to people, and put before the names of containers.
    if [Some(&endpoint), queue_endpoint.as_ref()]
        .into_iter()
        .flatten()
        .any(|address| address.contains(['@', '?', '#']))
    {
        return Err(
            "an endpoint of the connection string is more than an address (a signature belongs in \
                    `SharedAccessSignature`)"
                .to_owned(),
        );
    }
    // A shared access signature signs for itself: any name will do.
    let name = match field(text, "AccountName") {
        Some(name) => name.to_owned(),
        None => account_of(&endpoint),
    };
    let credential = match (field(text, "AccountKey"), field(text, "SharedAccessSignature")) {
        (Some(key), _) => {
            let key = AzureAccessKey::try_new(key)
                .map_err(|_| "`AccountKey` is not base64".to_owned())?;
            AzureCredential::AccessKey(key)
        }
        (None, Some(signature)) => {
            signed(signature).map_err(|()| "`SharedAccessSignature` cannot be read".to_owned())?
        }
        (None, None) => {
            return Err("the connection string has no `AccountKey` and no `SharedAccessSignature`"
                .to_owned());
        }
    };
    Ok(Read { name, endpoint, queue_endpoint, scheme, credential })
}

/// A shared access signature, which says nothing of its value where it cannot be read.
pub(super) fn signed(signature: &str) -> Result<AzureCredential, ()> {
    let pairs = split_sas(signature.trim_start_matches('?')).map_err(|_| ())?;
    if pairs.iter().any(|(name, _)| name == "sig") {
        Ok(AzureCredential::SASToken(pairs))
    } else {
        Err(())
    }
}

/// The account that an address names.
pub(super) fn account_of(endpoint: &str) -> String {
    let host = endpoint.split_once("://").map_or("", |(_, rest)| rest);
    host.split(['.', ':', '/']).next().unwrap_or_default().to_owned()
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
