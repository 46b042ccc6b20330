//! `server/discover`: what this server speaks and can do.

use serde::Serialize;
use serde_json::value::RawValue;

use super::envelope::{COMPLETE, Caching, SHARED, ServerMeta};
use crate::{
    host::Host,
    protocol::{
        capabilities::Capabilities,
        revision::{Era, SUPPORTED},
    },
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiscoverResult<'a> {
    result_type: &'static str,
    supported_versions: [&'static str; SUPPORTED.len()],
    capabilities: Capabilities,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    #[serde(flatten)]
    caching: Caching,
    #[serde(rename = "_meta")]
    meta: &'a RawValue,
}

/// The result, the same for every client.
pub(in crate::protocol) fn result(host: &Host, server: &ServerMeta) -> Box<RawValue> {
    let result = DiscoverResult {
        result_type: COMPLETE,
        supported_versions: SUPPORTED,
        capabilities: Capabilities::new(host.catalog(), Era::Modern),
        instructions: host.server().instructions.as_deref(),
        caching: SHARED,
        meta: &server.object,
    };
    serde_json::value::to_raw_value(&result).expect("a result has a JSON text")
}
