//! `tools/list`: written once per era, since it is the same for every client.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    function::{Catalog, Function, Schema},
    protocol::{
        error::ProtocolError,
        modern::envelope::{COMPLETE, Caching, SHARED, ServerMeta},
        raw,
    },
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icons: Option<&'a RawValue>,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a RawValue>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct LegacyList<'a> {
    tools: Vec<Tool<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModernList<'a> {
    result_type: &'static str,
    tools: Vec<Tool<'a>>,
    #[serde(flatten)]
    caching: Caching,
    #[serde(rename = "_meta")]
    meta: &'a RawValue,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    cursor: Option<&'a RawValue>,
}

/// The list for 2026-07-28.
pub(super) fn modern(catalog: &Catalog, server: &ServerMeta) -> Box<RawValue> {
    let tools = catalog
        .functions()
        .iter()
        .map(|function| tool(function, function.tool().output.as_ref()))
        .collect();
    let list = ModernList { result_type: COMPLETE, tools, caching: SHARED, meta: &server.object };
    serde_json::value::to_raw_value(&list).expect("a list has a JSON text")
}

/// The list for 2025-11-25 and before.
pub(super) fn legacy(catalog: &Catalog) -> Box<RawValue> {
    let tools = catalog.functions().iter().map(|function| {
        // A client of that time drops the whole list for one output schema whose root is no object.
        let output =
            function.tool().output.as_ref().filter(|schema| schema.value()["type"] == "object");
        tool(function, output)
    });
    serde_json::value::to_raw_value(&LegacyList { tools: tools.collect() })
        .expect("a list has a JSON text")
}

fn tool<'a>(function: &'a Function, output: Option<&'a Schema>) -> Tool<'a> {
    let tool = function.tool();
    Tool {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: tool.description.as_deref(),
        icons: tool.icons.as_deref(),
        input_schema: tool.input.text(),
        output_schema: output.map(Schema::text),
        annotations: tool.annotations.as_deref(),
        meta: tool.meta.as_deref(),
    }
}

/// There is one page, so no cursor is ours; the empty string would be one (server/utilities/pagination).
pub(in crate::protocol) fn check_cursor(params: &str) -> Result<(), ProtocolError> {
    match raw::object(params) {
        Some(Params { cursor: None }) => Ok(()),
        Some(Params { cursor: Some(_) }) => Err(ProtocolError::Params("unknown `cursor`")),
        None => Err(ProtocolError::Params("`cursor` comes twice")),
    }
}
