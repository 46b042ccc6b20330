//! A resource in `resources/list`, and a template in `resources/templates/list`.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    function::{Catalog, ResourceTrigger, ResourceUri, Skill},
    protocol::listing::Item,
};

/// `Resource` and `ResourceTemplate` of the protocol.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_template: Option<&'a str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    icons: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a RawValue>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

/// Every resource at a fixed URI, and the file that begins each skill.
pub(super) fn resources(catalog: &Catalog) -> Vec<Item> {
    let fixed = triggers(catalog).filter_map(|trigger| match &trigger.uri {
        ResourceUri::Fixed(uri) => {
            Some(Item::new(uri, Resource { uri: Some(uri), size: trigger.size, ..item(trigger) }))
        }
        ResourceUri::Template(_) => None,
    });
    let skills = catalog.skills().iter().map(|skill| manifest(skill));
    fixed.chain(skills).collect()
}

/// Every template. How large a resource is depends on its URI.
pub(super) fn templates(catalog: &Catalog) -> Vec<Item> {
    let templates = triggers(catalog).filter_map(|trigger| match &trigger.uri {
        ResourceUri::Fixed(_) => None,
        ResourceUri::Template(template) => {
            let text = template.as_str();
            Some(Item::new(text, Resource { uri_template: Some(text), ..item(trigger) }))
        }
    });
    templates.collect()
}

fn triggers(catalog: &Catalog) -> impl Iterator<Item = &ResourceTrigger> {
    catalog.functions().iter().filter_map(|function| function.resource())
}

fn item(trigger: &ResourceTrigger) -> Resource<'_> {
    Resource {
        uri: None,
        uri_template: None,
        name: &trigger.name,
        title: trigger.title.as_deref(),
        description: trigger.description.as_deref(),
        mime_type: trigger.mime_type.as_deref(),
        size: None,
        icons: trigger.icons.as_deref(),
        annotations: trigger.annotations.as_deref(),
        meta: trigger.meta.as_deref(),
    }
}

/// SEP-2640: the name and the description are those of the frontmatter.
fn manifest(skill: &Skill) -> Item {
    let file = skill.manifest();
    let resource = Resource {
        uri: Some(&file.uri),
        uri_template: None,
        name: &skill.name,
        title: None,
        description: Some(&skill.description),
        mime_type: Some(&file.mime_type),
        size: u64::try_from(file.content.len()).ok(),
        icons: None,
        annotations: None,
        meta: None,
    };
    Item::new(&file.uri, resource)
}
