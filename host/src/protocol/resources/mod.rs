//! The resources family: `resources/list`, `resources/templates/list` and `resources/read`, for both eras.

mod list;
mod read;
mod result;
#[cfg(test)]
mod tests;

pub(super) use self::read::Read;

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

/// The lists of resources, written down.
#[derive(Debug)]
pub(super) struct Resources {
    list: Listing,
    templates: Listing,
}

impl Resources {
    pub(super) fn new(catalog: &Catalog, server: &ServerMeta) -> Self {
        let (resources, templates) = (|| list::resources(catalog), || list::templates(catalog));
        Self {
            list: Listing::new("resources", resources, server, PAGE),
            templates: Listing::new("resourceTemplates", templates, server, PAGE),
        }
    }

    /// The result of `resources/list`.
    pub(super) fn list(&self, era: Era, params: &str) -> Result<Cow<'_, RawValue>, ProtocolError> {
        self.list.page(era, params)
    }

    /// The result of `resources/templates/list`.
    pub(super) fn templates(
        &self,
        era: Era,
        params: &str,
    ) -> Result<Cow<'_, RawValue>, ProtocolError> {
        self.templates.page(era, params)
    }

    /// Whether clients would see no difference.
    pub(super) fn same_list(&self, other: &Self) -> bool {
        self.list.is_same(&other.list) && self.templates.is_same(&other.templates)
    }
}

/// The reply with the file of a skill, if the URI names one: no function runs for it.
pub(super) fn file(
    protocol: &Protocol,
    request: &Request<'_>,
    era: Era,
    read: &Read<'_>,
) -> Option<Reply> {
    let (_, file) = protocol.host.catalog().file(&read.uri)?;
    Some(request.reply(result::of_file(era, file, &protocol.server)))
}

/// The reply with what a function came to.
pub(super) fn reply(
    protocol: &Protocol,
    request: &Request<'_>,
    era: Era,
    read: &Read<'_>,
    function: &Function,
    ended: Ended,
) -> Result<Reply, ProtocolError> {
    let outcome = ended?;
    let contents = result::contents(era, &read.uri, function, &outcome)?;
    Ok(request.reply(result::of_contents(era, contents, &protocol.server)))
}
