//! `container/name` of a blob: a fixed container and a name that may depend on the call.

use std::ops::Range;

use crate::binding::{
    BindingData, BindingError, DeclarationError, Scope,
    expression::{Part, Purpose, Template},
    segment, storage_name,
};

const KEY: &str = "path";

/// Azure's limit, kept on every storage, so that what is saved on one can be moved to another.
const MAX_NAME_CHARACTERS: usize = 1_024;

/// A checked path.
#[derive(Clone, Debug)]
pub(super) struct BlobPath {
    template: Template,
    container: String,
    extent: Extent,
}

/// What a path is the path of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// One blob.
    Name,
    /// All whose names begin with it.
    Prefix,
}

impl BlobPath {
    /// Reads the path of one blob, and finds what is wrong with it whatever a call may give.
    pub(super) fn parse(
        text: &str,
        settings: &dyn Fn(&str) -> Option<String>,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        Self::parse_as(Extent::Name, text, settings, scope)
    }

    /// Reads the path that the names of many blobs begin with.
    pub(super) fn parse_prefix(
        text: &str,
        settings: &dyn Fn(&str) -> Option<String>,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        Self::parse_as(Extent::Prefix, text, settings, scope)
    }

    fn parse_as(
        extent: Extent,
        text: &str,
        settings: &dyn Fn(&str) -> Option<String>,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        let template = Template::parse(KEY, text, Purpose::StorageName, settings, scope)?;
        let fault = |reason| template.fault(reason);
        let container = container(&template).map_err(fault)?;
        // With a letter in every open place, what is refused is refused for its fixed text.
        for sample in template.samples() {
            if let Some((_, reason)) = extent.refusal(&sample[container.len() + 1..], usize::MAX) {
                return Err(fault(format!("{} {reason}", extent.noun())));
            }
        }
        Ok(Self { template, container, extent })
    }

    /// The container.
    pub(super) fn container(&self) -> &str {
        &self.container
    }

    /// The name in the container for one call; no segment of it is longer than `max_segment` bytes.
    pub(super) fn resolve(
        &self,
        data: &BindingData<'_>,
        max_segment: usize,
    ) -> Result<Option<String>, BindingError> {
        let Some(mut filled) = self.template.fill(data)? else { return Ok(None) };
        let offset = self.container.len() + 1;
        if let Some((range, reason)) = self.extent.refusal(&filled.text[offset..], max_segment) {
            let range = offset + range.start..offset + range.end;
            return Err(match filled.source(&range) {
                Some(argument) => BindingError::Argument {
                    argument: argument.to_owned(),
                    reason: format!("makes a blob name that {reason}"),
                },
                None => BindingError::Content { reason: format!("the name of the blob {reason}") },
            });
        }
        Ok(Some(filled.text.split_off(offset)))
    }
}

/// The part before the first `/`: fixed, or else a call could reach every container of the connection.
fn container(template: &Template) -> Result<String, String> {
    let parts = template.parts();
    let form = "expected `container/name`";
    let first = match parts.first() {
        None => return Err(format!("is empty ({form})")),
        Some(Part::Literal(literal)) => literal.as_str(),
        Some(Part::Expression(_)) => "",
    };
    let Some((container, _)) = first.split_once('/') else {
        if parts.iter().all(|part| matches!(part, Part::Literal(_))) {
            return Err(format!("has no `/` ({form})"));
        }
        return Err(
            "the container, the first part of the path, must be fixed: it may hold no expression"
                .to_owned(),
        );
    };
    if is_container(container) {
        return Ok(container.to_owned());
    }
    Err(format!(
        "invalid container name `{}` ({})",
        template.configured_container(),
        storage_name::FORM
    ))
}

/// Checks the name of a container that stands alone.
pub(super) fn check_container(name: &str) -> Result<(), DeclarationError> {
    if is_container(name) {
        return Ok(());
    }
    let reason =
        format!("invalid container name `{}` ({})", name.escape_debug(), storage_name::FORM);
    Err(DeclarationError::Config { key: "containers".to_owned(), reason })
}

/// Two containers of Azure have names of their own.
fn is_container(name: &str) -> bool {
    storage_name::is_valid(name) || matches!(name, "$root" | "$web")
}

/// Whether a name that running code gives can be that of a blob.
pub(super) fn check_name(name: &str, max_segment: usize) -> Result<(), String> {
    Extent::Name.refusal(name, max_segment).map_or(Ok(()), |(_, reason)| Err(reason))
}

/// Whether names of blobs can begin like this.
pub(super) fn check_prefix(prefix: &str, max_segment: usize) -> Result<(), String> {
    Extent::Prefix.refusal(prefix, max_segment).map_or(Ok(()), |(_, reason)| Err(reason))
}

impl Extent {
    fn noun(self) -> &'static str {
        match self {
            Self::Name => "the name of a blob",
            Self::Prefix => "what names of blobs begin with",
        }
    }

    /// What no storage can take, or not all of them alike, and where it is.
    fn refusal(self, text: &str, max_segment: usize) -> Option<(Range<usize>, String)> {
        match self {
            Self::Name => refusal(text, max_segment),
            // All of them; and the end may be half a segment, or none of the next one.
            Self::Prefix if text.is_empty() => None,
            Self::Prefix => {
                let text = text.strip_suffix('/').unwrap_or(text);
                if text.chars().count() > MAX_NAME_CHARACTERS {
                    return refusal(text, max_segment);
                }
                segment::refusal(text, max_segment)
            }
        }
    }
}

/// What no storage can take, or not all of them alike, and where in the name it is.
fn refusal(name: &str, max_segment: usize) -> Option<(Range<usize>, String)> {
    if name.chars().count() > MAX_NAME_CHARACTERS {
        let reason = format!("is longer than {MAX_NAME_CHARACTERS} characters");
        return Some((0..name.len(), reason));
    }
    segment::refusal(name, max_segment).or_else(|| {
        // Azure drops a dot at the end of a name.
        name.ends_with('.').then(|| (name.len() - 1..name.len(), "ends with a `.`".to_owned()))
    })
}
