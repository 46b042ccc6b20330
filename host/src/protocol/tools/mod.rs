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
use crate::{
    function::{Catalog, Function},
    host::Host,
};

/// What is served, as both eras announce it.
#[derive(Serialize)]
pub(super) struct Capabilities {
    tools: ToolsCapability,
    #[serde(skip_serializing_if = "Option::is_none")]
    logging: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extensions: Option<Extensions>,
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
struct Extensions {
    #[serde(rename = "io.modelcontextprotocol/tasks")]
    tasks: Empty,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolsCapability {
    list_changed: bool,
}

impl Capabilities {
    pub(super) fn legacy(_: &Host) -> Self {
        Self {
            tools: ToolsCapability { list_changed: true },
            logging: Some(Empty {}),
            extensions: None,
        }
    }

    pub(super) fn modern(_: &Host) -> Self {
        Self {
            tools: ToolsCapability { list_changed: true },
            logging: Some(Empty {}),
            extensions: Some(Extensions { tasks: Empty {} }),
        }
    }
}

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

    /// Whether clients would see no difference.
    pub(super) fn same_list(&self, other: &Self) -> bool {
        self.modern.get() == other.modern.get() && self.legacy.get() == other.legacy.get()
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
