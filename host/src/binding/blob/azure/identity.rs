//! Accounts without a key: by parts of the connection, with the identity of this machine or of an application.
//!
//! <https://learn.microsoft.com/azure/azure-functions/functions-reference#configure-an-identity-based-connection>

use std::sync::Arc;

use object_store::azure::MicrosoftAzureBuilder;

use super::{Account, builder, text};
use crate::binding::blob::{
    cloud::{self, Pool, Scheme},
    parts::Parts,
};

const PARTS: [&str; 9] = [
    "accountName",
    "blobServiceUri",
    "clientId",
    "clientSecret",
    "credential",
    "managedIdentityResourceId",
    "queueServiceUri",
    "serviceUri",
    "tenantId",
];

const NO_QUEUES: &str =
    "does not say where its queues are (expected the setting `NAME__queueServiceUri`)";

/// In the order in which they are looked at.
const ADDRESSES: [&str; 4] = ["blobServiceUri", "serviceUri", "accountName", "queueServiceUri"];

pub(super) fn account(parts: &Parts<'_>) -> Option<Result<Account, String>> {
    let (part, value) =
        ADDRESSES.iter().find_map(|part| Some((*part, parts.own(part)?.trim().to_owned())))?;
    Some(if part == "accountName" {
        endpoint_of(&value)
            .ok_or_else(|| {
                format!("the setting {} is no name of a storage account", parts.name(part))
            })
            .and_then(|endpoint| with_identity(&endpoint, parts))
    } else {
        by_address(part, &value, parts)
    })
}

pub(super) fn named(name: &str, parts: &Parts<'_>) -> Result<Account, String> {
    for part in ADDRESSES {
        if parts.get(part).is_some() {
            return Err(format!(
                "the url and the setting {} both say where the storage is (keep one of them)",
                parts.name(part)
            ));
        }
    }
    let endpoint = endpoint_of(name)
        .ok_or("`azure://` needs the name of a storage account and nothing else")?;
    with_identity(&endpoint, parts)
}

fn by_address(part: &str, address: &str, parts: &Parts<'_>) -> Result<Account, String> {
    let (endpoint, query) = match address.split_once('?') {
        Some((endpoint, query)) => (endpoint, Some(query)),
        None => (address, None),
    };
    let endpoint = endpoint.trim_end_matches('/');
    let scheme = Scheme::of(endpoint).filter(|_| !endpoint.contains(['@', '#']));
    let Some(scheme) = scheme else {
        return Err(format!("the setting {} is no http or https address", parts.name(part)));
    };
    let Some(query) = query else { return with_identity(endpoint, parts) };
    let credential = text::signed(query).map_err(|()| {
        format!(
            "the query of the setting {} cannot be read as a shared access signature",
            parts.name(part)
        )
    })?;
    let addresses = ["blobServiceUri", "queueServiceUri", "serviceUri"];
    parts.only("an address that holds a shared access signature", &addresses)?;
    // It signs for the queues too, if at all.
    let queue_endpoint = queues_of(endpoint, parts)?;
    let (name, endpoint) = (text::account_of(endpoint), endpoint.to_owned());
    let read = text::Read { name, endpoint, queue_endpoint, scheme, credential };
    Ok(Account { no_queues: NO_QUEUES, ..Account::with_credential(read, Pool::new(scheme)?) })
}

/// Where the queues of an account are: as it is said, or beside its blobs.
fn queues_of(endpoint: &str, parts: &Parts<'_>) -> Result<Option<String>, String> {
    let Some(address) = parts.get("queueServiceUri") else {
        return Ok(endpoint.contains(".blob.").then(|| endpoint.replacen(".blob.", ".queue.", 1)));
    };
    // The signature is that of the account, or of the address itself.
    let address = address.split('?').next().unwrap_or_default().trim().trim_end_matches('/');
    if Scheme::of(address).is_none() || address.contains(['@', '#']) {
        let name = parts.name("queueServiceUri");
        return Err(format!("the setting {name} is no http or https address"));
    }
    Ok(Some(address.to_owned()))
}

/// The address of an account in the public cloud.
fn endpoint_of(name: &str) -> Option<String> {
    let is_name = (3..=24).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    is_name.then(|| format!("https://{name}.blob.core.windows.net"))
}

fn with_identity(endpoint: &str, parts: &Parts<'_>) -> Result<Account, String> {
    parts.only("an Azure account", &PARTS)?;
    let scheme = Scheme::of(endpoint).expect("it was looked at before");
    let pool = Pool::new(scheme)?;
    let name = text::account_of(endpoint);
    let (builder, by) = identity(builder(&name, endpoint, &pool), parts)?;
    // The store is there to make the credentials, which are the same for every container.
    let store = builder
        .with_container_name("any")
        .build()
        .map_err(|_| "the address of the account cannot be used".to_owned())?;
    let credentials = cloud::asked(Arc::clone(store.credentials()));
    let (queue_endpoint, endpoint) = (queues_of(endpoint, parts)?, endpoint.to_owned());
    let no_queues = NO_QUEUES;
    Ok(Account { name, endpoint, queue_endpoint, no_queues, credentials, by, pool })
}

/// Azure's order where `credential` does not say: a secret, the identity of a workload, that of the machine.
fn identity(
    builder: MicrosoftAzureBuilder,
    parts: &Parts<'_>,
) -> Result<(MicrosoftAzureBuilder, &'static str), String> {
    let (client, tenant) = (parts.get("clientId"), parts.get("tenantId"));
    let secret = parts.get("clientSecret");
    let resource = parts.get("managedIdentityResourceId");
    let credential = parts.get("credential").map(|text| text.trim().to_ascii_lowercase());
    let alone = |part: &str, other: &str| {
        format!("the settings {} and {} do not go together", parts.name(part), parts.name(other))
    };
    if let Some(secret) = secret {
        if credential.is_some() {
            return Err(alone("clientSecret", "credential"));
        }
        if resource.is_some() {
            return Err(alone("clientSecret", "managedIdentityResourceId"));
        }
        let client = client.ok_or_else(|| parts.lacks("clientSecret", "clientId"))?;
        let tenant = tenant.ok_or_else(|| parts.lacks("clientSecret", "tenantId"))?;
        return Ok((with_secret(builder, client, tenant, secret, parts), "client secret"));
    }
    let file = parts.setting("AZURE_FEDERATED_TOKEN_FILE");
    let workload_client = client.clone().or_else(|| parts.setting("AZURE_CLIENT_ID"));
    let workload_tenant = tenant.clone().or_else(|| parts.setting("AZURE_TENANT_ID"));
    match credential.as_deref() {
        Some("managedidentity") => {}
        None | Some("workloadidentity") => {
            if resource.is_none()
                && let (Some(client), Some(tenant)) = (workload_client, workload_tenant)
            {
                if let Some(file) = file {
                    let builder = with_authority(builder, parts)
                        .with_client_id(client)
                        .with_tenant_id(tenant)
                        .with_federated_token_file(file)
                        .with_credential_type("workload_identity");
                    return Ok((builder, "workload identity"));
                }
                if credential.is_none()
                    && let Some(secret) = parts.setting("AZURE_CLIENT_SECRET")
                {
                    let builder = with_secret(builder, client, tenant, secret, parts);
                    return Ok((builder, "client secret"));
                }
            }
            if credential.is_some() {
                return Err(format!(
                    "the setting {} asks for a workload identity, which needs the settings \
                     `AZURE_FEDERATED_TOKEN_FILE`, `AZURE_CLIENT_ID` and `AZURE_TENANT_ID`, and no {}",
                    parts.name("credential"),
                    parts.name("managedIdentityResourceId")
                ));
            }
        }
        Some(_) => {
            return Err(format!(
                "the setting {} has an unknown value (expected `managedidentity`, `workloadidentity`)",
                parts.name("credential")
            ));
        }
    }
    if tenant.is_some() {
        // A managed identity belongs to one tenant anyway.
        return Err(parts.lacks("tenantId", "clientSecret"));
    }
    let mut builder = builder.with_credential_type("managed_identity");
    if let Some(address) = parts.setting("IDENTITY_ENDPOINT") {
        builder = builder.with_msi_endpoint(address);
    }
    match (client, resource) {
        (Some(_), Some(_)) => return Err(alone("clientId", "managedIdentityResourceId")),
        (Some(client), None) => builder = builder.with_client_id(client),
        (None, Some(resource)) => {
            builder =
                builder.with_config(object_store::azure::AzureConfigKey::MsiResourceId, resource);
        }
        (None, None) => {}
    }
    Ok((builder, "managed identity"))
}

fn with_secret(
    builder: MicrosoftAzureBuilder,
    client: String,
    tenant: String,
    secret: String,
    parts: &Parts<'_>,
) -> MicrosoftAzureBuilder {
    with_authority(builder, parts)
        .with_client_id(client)
        .with_tenant_id(tenant)
        .with_client_secret(secret)
        .with_credential_type("client_secret")
}

/// Other clouds than the public one have another.
fn with_authority(builder: MicrosoftAzureBuilder, parts: &Parts<'_>) -> MicrosoftAzureBuilder {
    match parts.setting("AZURE_AUTHORITY_HOST") {
        Some(host) => builder.with_authority_host(host),
        None => builder,
    }
}
