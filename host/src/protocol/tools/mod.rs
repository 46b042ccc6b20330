//! The tools family: `tools/list` and `tools/call`, for both eras.

mod call;
mod inline;
mod list;
mod mirror;
mod result;

pub(super) use self::{call::Call, result::CallResult};

use std::borrow::Cow;

use serde_json::value::RawValue;

use self::mirror::Mirrored;
use super::{
    Context,
    error::ProtocolError,
    listing::{Listing, PAGE},
    modern::envelope::ServerMeta,
    revision::Era,
};
use crate::{function::Function, host::Host};

/// What is known of all tools before the first call.
#[derive(Debug)]
pub(super) struct Tools {
    list: Listing,
    // By the number of the function in the catalog.
    mirrored: Vec<Vec<Mirrored>>,
}

impl Tools {
    pub(super) fn new(host: &Host, server: &ServerMeta) -> Self {
        let (catalog, references) = (host.catalog(), host.server().references);
        let mirrored = |function: &Function| {
            function.tool().map(|tool| mirror::of(&tool.input)).unwrap_or_default()
        };
        Self {
            list: Listing::of_eras(
                "tools",
                |era| list::items(catalog, era, references),
                server,
                PAGE,
            ),
            mirrored: catalog.functions().iter().map(|function| mirrored(function)).collect(),
        }
    }

    /// The result of `tools/list`.
    pub(super) fn list(&self, era: Era, params: &str) -> Result<Cow<'_, RawValue>, ProtocolError> {
        self.list.page(era, params)
    }

    /// Whether clients would see no difference.
    pub(super) fn same_list(&self, other: &Self) -> bool {
        self.list.is_same(&other.list)
    }

    /// Checks the headers that must repeat arguments of this function.
    pub(super) fn check_headers(
        &self,
        context: &Context<'_>,
        function: &Function,
        arguments: Option<&RawValue>,
    ) -> Result<(), ProtocolError> {
        if context.headers.is_none() {
            return Ok(());
        }
        self.mirrored[function.index]
            .iter()
            .try_for_each(|mirrored| mirrored.check(context, arguments))
    }
}
