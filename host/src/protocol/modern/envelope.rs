//! What every result of 2026-07-28 carries beside its content.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

/// How long a client may keep a list, in milliseconds: short, since a restart may serve other tools.
const TTL_MS: u64 = 10_000;

/// What caches may do with a result (2026-07-28, server/utilities/caching).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::protocol) struct Caching {
    ttl_ms: u64,
    cache_scope: &'static str,
}

/// A result that depends on no caller.
pub(in crate::protocol) const SHARED: Caching = Caching { ttl_ms: TTL_MS, cache_scope: "public" };

/// A result that may depend on who asks, and on when.
pub(in crate::protocol) const PRIVATE: Caching = Caching { ttl_ms: 0, cache_scope: "private" };

/// The `resultType` of a result that needs nothing more.
pub(in crate::protocol) const COMPLETE: &str = "complete";

/// `_meta` of every result: who answers.
#[derive(Clone, Debug)]
pub(in crate::protocol) struct ServerMeta {
    /// The member that holds it.
    pub(in crate::protocol) info: Box<RawValue>,
    /// The whole object.
    pub(in crate::protocol) object: Box<RawValue>,
}

/// The member of `_meta` that says who answers.
pub(in crate::protocol) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

impl ServerMeta {
    pub(in crate::protocol) fn new(name: &str, version: &str) -> Self {
        let info = Implementation { name, version };
        let info = serde_json::value::to_raw_value(&info).expect("two strings have a JSON text");
        let object = BTreeMap::from([(SERVER_INFO, &info)]);
        let object = serde_json::value::to_raw_value(&object).expect("a raw value has a JSON text");
        Self { info, object }
    }
}

/// A result that says nothing.
pub(in crate::protocol) fn empty(server: &ServerMeta) -> Box<RawValue> {
    let result = Empty { result_type: COMPLETE, meta: &server.object };
    serde_json::value::to_raw_value(&result).expect("a result has a JSON text")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Empty<'a> {
    result_type: &'static str,
    #[serde(rename = "_meta")]
    meta: &'a RawValue,
}

/// `Implementation` of the protocol.
#[derive(Serialize)]
pub(in crate::protocol) struct Implementation<'a> {
    pub(in crate::protocol) name: &'a str,
    pub(in crate::protocol) version: &'a str,
}
