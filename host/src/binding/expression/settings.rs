//! `%Setting%` in configured text.

use std::ops::Range;

/// A text whose settings are replaced, and what was configured, which is all that a message may quote: a
/// setting may be a secret.
#[derive(Clone)]
pub(in crate::binding) struct Replaced {
    text: String,
    configured: String,
    /// Where values stand in `text`, and their `%Name%` in `configured`.
    values: Vec<(Range<usize>, Range<usize>)>,
}

/// Replaces every `%Name%` by the setting of that name; there is no escape for `%`.
///
/// A value is taken as it is: a `%` in it stands for itself.
pub(in crate::binding) fn replace_settings(
    configured: &str,
    settings: &dyn Fn(&str) -> Option<String>,
) -> Result<Replaced, String> {
    let mut text = String::with_capacity(configured.len());
    let mut values = Vec::new();
    let mut start = 0;
    while let Some(length) = configured[start..].find('%') {
        let opening = start + length;
        text.push_str(&configured[start..opening]);
        let Some((name, _)) = configured[opening + 1..].split_once('%') else {
            let position = position_of(configured, opening);
            return Err(format!("the `%` at position {position} has no closing `%`"));
        };
        let Some(value) = settings(name) else {
            return Err(format!(
                "the setting `{name}` has no value (define it in local.settings.json or the environment)"
            ));
        };
        start = opening + name.len() + 2;
        values.push((text.len()..text.len() + value.len(), opening..start));
        text.push_str(&value);
    }
    text.push_str(&configured[start..]);
    Ok(Replaced { text, configured: configured.to_owned(), values })
}

impl Replaced {
    /// A text in which a `%` is a `%`.
    pub(in crate::binding) fn nothing_in(text: &str) -> Self {
        Self { text: text.to_owned(), configured: text.to_owned(), values: Vec::new() }
    }

    /// Whether there was a setting in it.
    pub(in crate::binding) fn has_settings(&self) -> bool {
        !self.values.is_empty()
    }

    /// The text with the values in it.
    pub(in crate::binding) fn text(&self) -> &str {
        &self.text
    }

    /// The text as it was configured.
    pub(in crate::binding) fn configured(&self) -> &str {
        &self.configured
    }

    /// What was configured for a part of the text; a value, in part or whole, is its `%Name%`.
    pub(in crate::binding) fn configured_part(&self, part: Range<usize>) -> &str {
        let start = self.source(part.start).start;
        // The end is the place after the last byte.
        let end = if part.is_empty() { start } else { self.source(part.end - 1).end };
        &self.configured[start..end]
    }

    /// The position in the configured text of a place in the text.
    pub(super) fn position(&self, place: usize) -> usize {
        position_of(&self.configured, self.source(place).start)
    }

    /// Where a byte of the text was configured.
    fn source(&self, place: usize) -> Range<usize> {
        let (mut text_end, mut configured_end) = (0, 0);
        for (value, name) in &self.values {
            if place < value.start {
                break;
            }
            if place < value.end {
                return name.clone();
            }
            (text_end, configured_end) = (value.end, name.end);
        }
        let start = configured_end + (place - text_end);
        start..start + 1
    }
}

impl std::fmt::Debug for Replaced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Replaced").field(&self.configured).finish()
    }
}

/// Positions in messages count characters from 1, as in Azure.
fn position_of(text: &str, place: usize) -> usize {
    text[..place].chars().count() + 1
}
