//! A prompt in `prompts/list`.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    function::{Catalog, PromptArgument, PromptTrigger},
    protocol::listing::Item,
};

/// `Prompt` of the protocol.
#[derive(Serialize)]
struct Prompt<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    arguments: Vec<Argument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icons: Option<&'a RawValue>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

/// `PromptArgument` of the protocol.
#[derive(Serialize)]
struct Argument<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    required: bool,
}

/// Every prompt.
pub(super) fn items(catalog: &Catalog) -> Vec<Item> {
    let prompts = catalog.functions().iter().filter_map(|function| function.prompt());
    prompts.map(|prompt| Item::new(&prompt.name, item(prompt))).collect()
}

fn item(prompt: &PromptTrigger) -> Prompt<'_> {
    Prompt {
        name: &prompt.name,
        title: prompt.title.as_deref(),
        description: prompt.description.as_deref(),
        arguments: prompt.arguments.iter().map(argument).collect(),
        icons: prompt.icons.as_deref(),
        meta: prompt.meta.as_deref(),
    }
}

fn argument(argument: &PromptArgument) -> Argument<'_> {
    Argument {
        name: &argument.name,
        title: argument.title.as_deref(),
        description: argument.description.as_deref(),
        required: argument.required,
    }
}
