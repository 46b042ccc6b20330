//! What stands between braces, taken apart: `mcptoolargs.name:path=default`.

use std::fmt;

/// A name, and what follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference<'t> {
    text: &'t str,
    /// What is meant, its parts with dots between them.
    pub(super) name: &'t str,
    /// How it is written.
    pub(super) format: Option<&'t str>,
    /// What stands for it when there is none.
    pub(super) default: Option<&'t str>,
    /// Where it stands, and what a message may show of it.
    pub(super) place: Place<'t>,
}

/// An expression as it was configured, with its braces, and its position in the template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'t> {
    pub(super) quote: &'t str,
    pub(super) position: usize,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at position {}", self.quote, self.position)
    }
}

impl<'t> Reference<'t> {
    /// Takes apart what is between the braces at a place.
    pub(super) fn parse(text: &'t str, place: Place<'t>) -> Self {
        let (name, format, default) = match text.find([':', '=']) {
            None => (text, None, None),
            Some(end) if text[end..].starts_with('=') => {
                (&text[..end], None, Some(&text[end + 1..]))
            }
            Some(end) => (&text[..end], Some(&text[end + 1..]), None),
        };
        Self { text, name, format, default, place }
    }

    /// For what takes formats without a `=`: the format ends where the default begins.
    pub(super) fn with_default(mut self) -> Self {
        if let Some((format, default)) = self.format.and_then(|format| format.split_once('=')) {
            (self.format, self.default) = (Some(format), Some(default));
        }
        self
    }

    /// Refuses a default for what is always there.
    pub(super) fn without_default(self) -> Result<Self, String> {
        match self.default {
            None => Ok(self),
            Some(_) => Err(format!("{} takes no default: there always is one", self.place)),
        }
    }

    /// Whether a part of it is a setting, of which no message may tell.
    pub(super) fn is_from_setting(&self) -> bool {
        let quote = self.place.quote;
        quote.get(1..quote.len() - 1) != Some(self.text)
    }
}
