//! A result with what its era puts around it.

use serde::Serialize;
use serde_json::value::RawValue;

use super::{
    modern::envelope::{COMPLETE, Caching, ServerMeta},
    revision::Era,
};

/// A result, `content` being its own members.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Framed<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(flatten)]
    content: T,
    #[serde(flatten)]
    caching: Option<Caching>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a RawValue>,
}

impl<'a, T> Framed<'a, T> {
    /// A result that no cache keeps.
    pub(super) fn new(era: Era, content: T, server: &'a ServerMeta) -> Self {
        match era {
            Era::Modern => Self {
                result_type: Some(COMPLETE),
                content,
                caching: None,
                meta: Some(&server.object),
            },
            Era::Legacy => Self { result_type: None, content, caching: None, meta: None },
        }
    }

    /// A result that caches may keep, which only the modern era tells them.
    pub(super) fn cached(era: Era, content: T, caching: Caching, server: &'a ServerMeta) -> Self {
        let framed = Self::new(era, content, server);
        match era {
            Era::Modern => Self { caching: Some(caching), ..framed },
            Era::Legacy => framed,
        }
    }
}
