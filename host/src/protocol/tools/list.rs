//! A tool in `tools/list`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::inline;
use crate::{
    function::{Catalog, Schema, ToolTrigger},
    host::References,
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
pub(super) fn items(catalog: &Catalog, era: Era, references: References) -> Vec<Item> {
    let tools = catalog.functions().iter().filter_map(|function| function.tool());
    tools
        .map(|tool| {
            let input = shown(&tool.input, references);
            // A legacy client drops the whole list for one output schema whose root is no object.
            let fits = |schema: &&Schema| era == Era::Modern || schema.value()["type"] == "object";
            let output = tool.output.as_ref().filter(fits);
            let output = output.map(|schema| shown(schema, references));
            Item::new(&tool.name, item(tool, &input, output.as_deref()))
        })
        .collect()
}

/// A schema as it is published: as it was given, unless clients are to be spared its references.
fn shown(schema: &Schema, references: References) -> Cow<'_, RawValue> {
    let inlined = match references {
        References::Kept => None,
        References::Inlined => inline::inlined(schema.value()),
    };
    match inlined {
        None => Cow::Borrowed(schema.text()),
        Some(inlined) => Cow::Owned(to_raw_value(&inlined).expect("a schema has a JSON text")),
    }
}

fn item<'a>(tool: &'a ToolTrigger, input: &'a RawValue, output: Option<&'a RawValue>) -> Tool<'a> {
    Tool {
        name: &tool.name,
        title: tool.title.as_deref(),
        description: tool.description.as_deref(),
        icons: tool.icons.as_deref(),
        input_schema: input,
        output_schema: output,
        annotations: tool.annotations.as_deref(),
        meta: tool.meta.as_deref(),
    }
}
