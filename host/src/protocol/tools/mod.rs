//! The tools family: `tools/list` and `tools/call`, for both eras.

mod call;
mod list;
mod mirror;
mod result;

pub(super) use self::{
    call::{Call, listed_headers},
    list::check_cursor,
    result::CallResult,
};

use serde::Serialize;
use serde_json::value::RawValue;

use self::mirror::Mirrored;
use super::{Context, error::ProtocolError, modern::envelope::ServerMeta, revision::Era};
use crate::function::{Catalog, Function};

/// What is served, as both eras announce it.
#[derive(Default, Serialize)]
pub(super) struct Capabilities {
    tools: ToolsCapability,
}

// No `listChanged`: the list does not change while the host runs.
#[derive(Default, Serialize)]
struct ToolsCapability {}

/// What is known of all tools before the first call.
#[derive(Debug)]
pub(super) struct Tools {
    modern: Box<RawValue>,
    legacy: Box<RawValue>,
    // By the number of the function in the catalog.
    mirrored: Vec<Vec<Mirrored>>,
}

impl Tools {
    pub(super) fn new(catalog: &Catalog, server: &ServerMeta) -> Self {
        Self {
            modern: list::modern(catalog, server),
            legacy: list::legacy(catalog),
            mirrored: catalog
                .functions()
                .iter()
                .map(|function| mirror::of(&function.tool().input))
                .collect(),
        }
    }

    /// The result of `tools/list`.
    pub(super) fn list(&self, era: Era) -> &RawValue {
        match era {
            Era::Modern => &self.modern,
            Era::Legacy => &self.legacy,
        }
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
