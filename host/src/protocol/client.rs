//! What a client says of itself: `clientInfo`, in `_meta` of a modern request and in `initialize` of a legacy one.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::raw;
use crate::function::Client;

#[derive(Deserialize)]
struct ClientInfo<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    version: Option<&'a RawValue>,
}

/// Reads who sent a request. A client should say it and need not: what is no name is no reason to refuse.
pub(super) fn parse(info: &RawValue) -> Option<Client> {
    let info: ClientInfo<'_> = raw::object(info.get())?;
    let name = raw::string(info.name?)?.into_owned();
    let version = info.version.and_then(raw::string).unwrap_or_default().into_owned();
    Some(Client { name, version })
}
