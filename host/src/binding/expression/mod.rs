//! Templates in declarations: `snippets/{mcptoolargs.snippetname}.json`, read at load, filled per call.
//!
//! `%Setting%` is replaced first, and only in the configured text, so no argument can name a setting.
//! What is left is literal text, `{{` and `}}`, and expressions. A new kind of expression is a variant
//! of [`Expression`] with a file of its own.

mod argument;
mod data;
mod settings;
#[cfg(test)]
mod tests;

pub use self::data::BindingData;
pub(in crate::binding) use self::settings::{Replaced, replace_settings};

use std::ops::Range;

use self::argument::Argument;
use super::{BindingError, DeclarationError, scope::Root};
use crate::function::Schema;

/// A configured text with expressions in it, read once.
#[derive(Clone, Debug)]
pub(in crate::binding) struct Template {
    replaced: Replaced,
    parts: Vec<Part>,
}

/// What a template consists of.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Text that is the same in every call.
    Literal(String),
    /// Text that depends on the call.
    Expression(Expression),
}

/// What stands between `{` and `}`.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    /// `{mcptoolargs.name}`, or the like for other kinds of functions.
    Argument(Argument),
}

/// A filled template, and which argument gave which part of it.
#[derive(Debug)]
pub(super) struct Filled<'t> {
    /// The text.
    pub(super) text: String,
    sources: Vec<(Range<usize>, &'t str)>,
}

impl Template {
    /// Reads a configured text: settings first, then expressions, whose arguments are under `root`.
    pub(in crate::binding) fn parse(
        text: &str,
        settings: &dyn Fn(&str) -> Option<String>,
        root: Root,
    ) -> Result<Self, DeclarationError> {
        let fault = |reason| DeclarationError::Path { path: text.to_owned(), reason };
        let replaced = replace_settings(text, settings).map_err(fault)?;
        let parts = parse_parts(&replaced, root).map_err(fault)?;
        Ok(Self { replaced, parts })
    }

    /// Finds every argument in what the function accepts, and keeps the names under which they come.
    ///
    /// An argument is found by its exact name, or else by the only name that is equal when case is
    /// ignored. Unknown and ambiguous names are errors.
    pub(in crate::binding) fn check(&mut self, schema: &Schema) -> Result<(), DeclarationError> {
        for part in &mut self.parts {
            match part {
                Part::Literal(_) => {}
                Part::Expression(Expression::Argument(argument)) => {
                    argument.check(schema.value()).map_err(|reason| DeclarationError::Path {
                        path: self.replaced.configured().to_owned(),
                        reason,
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Fills the template. None: an optional argument is missing or null.
    pub(in crate::binding) fn fill(
        &self,
        data: &BindingData<'_>,
    ) -> Result<Option<Filled<'_>>, BindingError> {
        let capacity = self.replaced.text().len() + 32;
        let mut filled = Filled { text: String::with_capacity(capacity), sources: Vec::new() };
        let mut complete = true;
        for part in &self.parts {
            match part {
                Part::Literal(literal) => filled.text.push_str(literal),
                Part::Expression(Expression::Argument(argument)) => {
                    // A hostile argument is an error even if another one is missing: go on.
                    let Some(value) = argument.value(data)? else {
                        complete = false;
                        continue;
                    };
                    let start = filled.text.len();
                    filled.text.push_str(&value);
                    filled.sources.push((start..filled.text.len(), argument.name()));
                }
            }
        }
        Ok(complete.then_some(filled))
    }

    /// The text before its first `/`, as it was configured.
    pub(in crate::binding) fn configured_container(&self) -> &str {
        let text = self.replaced.text();
        self.replaced.configured_part(0..text.find('/').unwrap_or(text.len()))
    }

    pub(in crate::binding) fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Expression {
    /// `quote` is what a message may show of it.
    fn parse(text: &str, quote: &str, root: Root) -> Result<Self, String> {
        if let Some(argument) = Argument::parse(text, quote, root)? {
            return Ok(Self::Argument(argument));
        }
        Err(format!("unknown expression `{quote}` (expected `{{{}.NAME}}`)", root.as_str()))
    }
}

impl Filled<'_> {
    /// The first argument that gave a part of a range of the text.
    pub(super) fn source(&self, range: &Range<usize>) -> Option<&str> {
        let within = |part: &Range<usize>| part.start <= range.end && range.start <= part.end;
        self.sources.iter().find(|(part, _)| within(part)).map(|&(_, name)| name)
    }
}

fn parse_parts(replaced: &Replaced, root: Root) -> Result<Vec<Part>, String> {
    let text = replaced.text();
    let missing = |bracket: &str, position: usize| {
        Err(format!("missing {bracket} bracket at position {position}"))
    };
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut characters = text.char_indices().peekable();
    while let Some((place, character)) = characters.next() {
        let doubled = characters.peek().is_some_and(|&(_, next)| next == character);
        match character {
            '{' | '}' if doubled => {
                characters.next();
                literal.push(character);
            }
            '}' => return missing("opening", replaced.position(place)),
            '{' => {
                let end = loop {
                    match characters.next() {
                        None => return missing("closing", replaced.position(place)),
                        Some((inner, '{')) => {
                            return missing("closing", replaced.position(inner) - 1);
                        }
                        Some((end, '}')) => break end,
                        Some(_) => {}
                    }
                };
                let expression = &text[place + 1..end];
                if expression.trim().is_empty() {
                    let position = replaced.position(place + 1);
                    return Err(format!("the parameter name at position {position} is empty"));
                }
                if !literal.is_empty() {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                }
                let quote = replaced.configured_part(place..end + 1);
                parts.push(Part::Expression(Expression::parse(expression, quote, root)?));
            }
            other => literal.push(other),
        }
    }
    if !literal.is_empty() {
        parts.push(Part::Literal(literal));
    }
    Ok(parts)
}
