//! What is kept of one component beside its code: which code that is, and what it says of its functions.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::{super::bindings::mcpfn::function::types as wit, key::Key};

/// Changes with the form of [`Entry`].
const FORMAT: &[u8] = b"1";

/// The contract in which functions are described: a changed one makes every description a foreign one.
const CONTRACT: &str = include_str!("../../../../wit/types.wit");

const MAC_LEN: usize = blake3::OUT_LEN;

/// What is known of one component for one engine.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Entry<D> {
    /// The hash of its code, which is the name of the file that has it.
    pub(super) code: String,
    /// What it says of its functions; none, when it did not answer.
    pub(super) description: Option<D>,
}

/// What a component says of its functions. It depends on the component's bytes alone.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::guest) struct Description {
    /// Bytes of memory that the instance had which was asked: below this limit, none can answer.
    pub(in crate::guest) memory: usize,
    /// The answer, not yet checked.
    pub(in crate::guest) declared: wit::Description,
}

/// The name of an entry: one for each content, engine configuration, wasmtime version and contract.
pub(super) fn name(engine: &wasmtime::Engine, content: &blake3::Hash) -> String {
    let mut hasher = Blake3(blake3::Hasher::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    // Another version of the host may link other things.
    hasher
        .0
        .update(env!("CARGO_PKG_VERSION").as_bytes())
        .update(FORMAT)
        .update(CONTRACT.as_bytes())
        .update(content.as_bytes());
    format!("{}.entry", hasher.0.finalize().to_hex())
}

impl Entry<Description> {
    /// Reads what [`to_bytes`](Self::to_bytes) wrote under this name and key; anything else is none.
    pub(super) fn parse(bytes: &[u8], name: &str, key: &Key) -> Option<Self> {
        let (mac, body) = bytes.split_first_chunk::<MAC_LEN>()?;
        // `blake3::Hash` compares in constant time.
        if key.mac(name, body) != blake3::Hash::from_bytes(*mac) {
            return None;
        }
        serde_json::from_slice(body).ok()
    }
}

impl<D: Serialize> Entry<D> {
    /// The entry under its MAC.
    pub(super) fn to_bytes(&self, name: &str, key: &Key) -> Vec<u8> {
        let body = serde_json::to_vec(self).expect("an entry has a JSON text");
        [key.mac(name, &body).as_bytes(), body.as_slice()].concat()
    }
}

/// Feeds what implements `Hash` to a hash that is stable across runs.
struct Blake3(blake3::Hasher);

impl Hasher for Blake3 {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}
