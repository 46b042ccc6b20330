//! What a client wants to hear of on one stream (2026-07-28, basic/patterns/subscriptions).

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    function::ListKind,
    protocol::{error::ProtocolError, raw},
};

/// How many resources, or tasks, one stream follows.
const MAX_FOLLOWED: usize = 1000;

/// How many bytes all their names may have: a stream may be open for days, and there may be many.
const MAX_BYTES: usize = 256 << 10;

/// What a client wants to hear of. All of it is honored.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::protocol) struct Filter {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tools_list_changed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    prompts_list_changed: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resources_list_changed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resource_subscriptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    task_ids: Vec<String>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    notifications: Option<&'a RawValue>,
}

impl Filter {
    /// Reads the params of `subscriptions/listen`.
    pub(in crate::protocol) fn parse(params: &str) -> Result<Self, ProtocolError> {
        let wrong =
            || ProtocolError::Params("`notifications` must be an object of what to hear of");
        let params: Params<'_> = raw::object(params).ok_or_else(wrong)?;
        let filter: Self =
            params.notifications.and_then(|it| raw::object(it.get())).ok_or_else(wrong)?;
        if filter.resource_subscriptions.len().max(filter.task_ids.len()) > MAX_FOLLOWED {
            return Err(ProtocolError::Params(
                "one stream follows 1000 resources and 1000 tasks at the most",
            ));
        }
        let n_bytes: usize =
            filter.resource_subscriptions.iter().chain(&filter.task_ids).map(String::len).sum();
        if n_bytes > MAX_BYTES {
            return Err(ProtocolError::Params(
                "the URIs and task ids that one stream follows have 256 KiB at the most",
            ));
        }
        Ok(filter)
    }

    /// Tasks are heard of by those who take tasks.
    pub(in crate::protocol) fn names_tasks(&self) -> bool {
        !self.task_ids.is_empty()
    }

    pub(super) fn has_list(&self, kind: ListKind) -> bool {
        match kind {
            ListKind::Tools => self.tools_list_changed,
            ListKind::Resources => self.resources_list_changed,
            ListKind::Prompts => self.prompts_list_changed,
        }
    }

    pub(super) fn has_resource(&self, uri: &str) -> bool {
        self.resource_subscriptions.iter().any(|wanted| wanted == uri)
    }

    pub(super) fn resources(&self) -> impl Iterator<Item = &str> {
        self.resource_subscriptions.iter().map(String::as_str)
    }

    pub(super) fn tasks(&self) -> impl Iterator<Item = &str> {
        self.task_ids.iter().map(String::as_str)
    }
}
