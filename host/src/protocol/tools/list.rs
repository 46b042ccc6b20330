//! A tool in `tools/list`.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    function::{Catalog, Schema, ToolTrigger},
    protocol::{listing::Item, revision::Era},
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

/// Every tool, as an era has it.
pub(super) fn items(catalog: &Catalog, era: Era) -> Vec<Item> {
    let tools = catalog.functions().iter().filter_map(|function| function.tool());
    tools.map(|tool| Item::new(&tool.name, item(tool, era))).collect()
}

fn item(tool: &ToolTrigger, era: Era) -> Tool<'_> {
    // A legacy client drops the whole list for one output schema whose root is no object.
    let fits = |schema: &&Schema| era == Era::Modern || schema.value()["type"] == "object";
    Tool {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: tool.description.as_deref(),
        icons: tool.icons.as_deref(),
        input_schema: tool.input.text(),
        output_schema: tool.output.as_ref().filter(fits).map(Schema::text),
        annotations: tool.annotations.as_deref(),
        meta: tool.meta.as_deref(),
    }
}
