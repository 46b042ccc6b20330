//! Content blocks and resource contents, as both eras write them.

use std::fmt::Display;

use base64::{display::Base64Display, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use super::raw;
use crate::{
    function::{Block, Content, Media, ResourceBody, ResourceContents},
    json::Members,
};

/// What bytes are an embedded resource of, when the function names no URI: the protocol asks for one.
const RESULT_URI: &str = "mcpfn:result";
/// What bytes are, when the function does not say.
const ANY_BYTES: &str = "application/octet-stream";

/// A content block of a result.
pub(super) enum ContentBlock<'a> {
    /// One text.
    Text(&'a str),
    /// Bytes of no particular encoding.
    Bytes(&'a [u8]),
    /// A block as the function made it.
    Given(&'a Content),
}

impl Serialize for ContentBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (block, given) = match self {
            Self::Text(text) => return text_block(serializer, text),
            // Text is what a model reads best. Other bytes can only be a resource: no other block carries any media type.
            Self::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => return text_block(serializer, text),
                Err(_) => return resource_block(serializer, bytes),
            },
            Self::Given(given) => (&given.block, given),
        };
        // A block of the protocol that the function wrote itself, unchanged.
        if let Block::Other(block) = block {
            return block.serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        match block {
            Block::Text(text) => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", text)?;
            }
            Block::Image(media) => serialize_media(&mut map, "image", media)?,
            Block::Audio(media) => serialize_media(&mut map, "audio", media)?,
            Block::Resource(contents) => {
                map.serialize_entry("type", "resource")?;
                map.serialize_entry("resource", &Resource::given(contents, RESULT_URI, None))?;
            }
            Block::Link(link) => serialize_link(&mut map, link)?,
            Block::Other(_) => unreachable!("written above"),
        }
        if let Some(annotations) = &given.annotations {
            map.serialize_entry("annotations", annotations)?;
        }
        if let Some(meta) = &given.meta {
            map.serialize_entry("_meta", meta)?;
        }
        map.end()
    }
}

fn text_block<S: Serializer>(serializer: S, text: &str) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("type", "text")?;
    map.serialize_entry("text", text)?;
    map.end()
}

fn resource_block<S: Serializer>(serializer: S, bytes: &[u8]) -> Result<S::Ok, S::Error> {
    let resource = Resource::bytes(RESULT_URI, Some(ANY_BYTES), bytes);
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("type", "resource")?;
    map.serialize_entry("resource", &resource)?;
    map.end()
}

fn serialize_media<M: SerializeMap>(
    map: &mut M,
    kind: &str,
    media: &Media,
) -> Result<(), M::Error> {
    map.serialize_entry("type", kind)?;
    map.serialize_entry("data", &Base64(&media.data))?;
    map.serialize_entry("mimeType", &media.mime_type)
}

/// A link with the `type` that makes it a block, whether or not the function wrote it.
fn serialize_link<M: SerializeMap>(map: &mut M, link: &RawValue) -> Result<(), M::Error> {
    map.serialize_entry("type", "resource_link")?;
    let Some(Members(members)) = raw::object(link.get()) else { return Ok(()) };
    members
        .iter()
        .filter(|(name, _)| name != "type")
        .try_for_each(|(name, value)| map.serialize_entry(name, value))
}

/// The contents of a resource.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Resource<'a> {
    uri: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blob: Option<Base64<'a>>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

impl<'a> Resource<'a> {
    /// Text of a resource.
    pub(super) fn text(uri: &'a str, mime_type: Option<&'a str>, text: &'a str) -> Self {
        Self { uri, mime_type, text: Some(text), blob: None, meta: None }
    }

    /// Bytes of a resource.
    pub(super) fn bytes(uri: &'a str, mime_type: Option<&'a str>, bytes: &'a [u8]) -> Self {
        Self { uri, mime_type, text: None, blob: Some(Base64(bytes)), meta: None }
    }

    /// What a function says of a resource, and what holds where it does not say.
    pub(super) fn given(
        contents: &'a ResourceContents,
        uri: &'a str,
        mime_type: Option<&'a str>,
    ) -> Self {
        let uri = contents.uri.as_deref().unwrap_or(uri);
        let mime_type = contents.mime_type.as_deref().or(mime_type);
        let resource = match &contents.body {
            ResourceBody::Text(text) => Self::text(uri, mime_type, text),
            ResourceBody::Bytes(bytes) => Self::bytes(uri, mime_type, bytes),
        };
        Self { meta: contents.meta.as_deref(), ..resource }
    }
}

/// Bytes that are written as base64, straight into the output.
struct Base64<'a>(&'a [u8]);

impl Serialize for Base64<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let display: &dyn Display = &Base64Display::new(self.0, &STANDARD);
        serializer.collect_str(display)
    }
}
