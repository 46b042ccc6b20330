//! The prompts family: `prompts/list` and `prompts/get`, for both eras.

mod get;
mod list;
mod result;
#[cfg(test)]
mod tests;

pub(super) use self::get::Get;

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{
    Protocol, Reply,
    error::ProtocolError,
    jsonrpc::Request,
    listing::{Listing, PAGE},
    modern::envelope::ServerMeta,
    revision::Era,
    run::Ended,
};
use crate::function::{Catalog, Function};

/// The list of prompts, written down.
#[derive(Debug)]
pub(super) struct Prompts {
    list: Listing,
}

impl Prompts {
    pub(super) fn new(catalog: &Catalog, server: &ServerMeta) -> Self {
        Self { list: Listing::new("prompts", || list::items(catalog), server, PAGE) }
    }

    /// The result of `prompts/list`.
    pub(super) fn list(&self, era: Era, params: &str) -> Result<Cow<'_, RawValue>, ProtocolError> {
        self.list.page(era, params)
    }

    /// Whether clients would see no difference.
    pub(super) fn same_list(&self, other: &Self) -> bool {
        self.list.is_same(&other.list)
    }
}

/// The reply with what a function came to.
pub(super) fn reply(
    protocol: &Protocol,
    request: &Request<'_>,
    era: Era,
    function: &Function,
    ended: Ended,
) -> Result<Reply, ProtocolError> {
    let outcome = ended?;
    let messages = result::messages(function, &outcome)?;
    Ok(request.reply(result::of_messages(era, messages, &protocol.server)))
}
