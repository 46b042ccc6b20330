//! A configured text with expressions in it, read at load and filled per call.

use std::ops::Range;

use super::{
    BindingData, Expression, Purpose, Replaced,
    argument::Argument,
    brackets::{Piece, pieces},
    reference::Reference,
    replace_settings,
};
use crate::binding::{BindingError, DeclarationError, Scope, segment};

/// A configured text with expressions in it, read once.
#[derive(Clone, Debug)]
pub(in crate::binding) struct Template {
    key: Box<str>,
    purpose: Purpose,
    replaced: Replaced,
    parts: Vec<Part>,
}

/// What a template consists of.
#[derive(Clone, Debug)]
pub(in crate::binding) enum Part {
    /// Text that is the same in every call.
    Literal(String),
    /// Text that depends on the call.
    Expression(Expression),
}

/// A filled template, and which argument gave which part of it.
#[derive(Debug)]
pub(in crate::binding) struct Filled<'t> {
    /// The text.
    pub(in crate::binding) text: String,
    sources: Vec<(Range<usize>, &'t str)>,
}

impl Template {
    /// Reads a configured text: settings first, then expressions, which it finds in the scope. `key` is the key of
    /// the declaration that the text was given for, and `purpose` what becomes of it.
    ///
    /// An argument is found by its exact name, or else by the only name that is equal when case is ignored. Unknown
    /// and ambiguous names are errors; arguments that a call may come without are noticed in the scope.
    pub(in crate::binding) fn parse(
        key: &str,
        text: &str,
        purpose: Purpose,
        settings: &dyn Fn(&str) -> Option<String>,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        let replaced =
            replace_settings(text, settings).map_err(|reason| fault(key, text, reason))?;
        Self::parse_replaced(key, replaced, purpose, scope)
    }

    /// Reads a text whose settings are replaced already, or that may hold none.
    pub(in crate::binding) fn parse_replaced(
        key: &str,
        replaced: Replaced,
        purpose: Purpose,
        scope: &Scope<'_>,
    ) -> Result<Self, DeclarationError> {
        let text = replaced.configured();
        let fault = |reason| fault(key, text, reason);
        let mut parts: Vec<Part> = Vec::new();
        for piece in pieces(&replaced).map_err(fault)? {
            let part = match piece {
                Piece::Literal(literal) => Part::Literal(literal),
                Piece::Expression { text: inner, place } => {
                    let reference = Reference::parse(inner, place);
                    let (part, notice) =
                        Expression::parse(reference, purpose, scope).map_err(fault)?;
                    if let Some(notice) = notice {
                        scope.notice(format!("{key} `{text}`: {notice}"));
                    }
                    part
                }
            };
            match (parts.last_mut(), part) {
                (Some(Part::Literal(before)), Part::Literal(literal)) => before.push_str(&literal),
                (_, part) => parts.push(part),
            }
        }
        Ok(Self { key: key.into(), purpose, replaced, parts })
    }

    /// An error that says what is wrong with the text as it was configured.
    pub(in crate::binding) fn fault(&self, reason: String) -> DeclarationError {
        fault(&self.key, self.replaced.configured(), reason)
    }

    /// Fills the template. None: an optional argument is missing or null, or there is no session.
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
                Part::Expression(Expression::Builtin(builtin)) => match builtin.value(data)? {
                    Some(value) => filled.text.push_str(&value),
                    None => complete = false,
                },
                Part::Expression(Expression::Argument(argument)) => {
                    // A hostile argument is an error even if another one is missing: go on.
                    if let Some(value) = argument.value(data)? {
                        let start = filled.text.len();
                        filled.text.push_str(&value);
                        filled.sources.push((start..filled.text.len(), argument.name()));
                    } else if let Some(default) = argument.default() {
                        filled.text.push_str(default);
                    } else {
                        complete = false;
                    }
                }
            }
        }
        if !complete {
            return Ok(None);
        }
        if self.purpose == Purpose::Url {
            filled.refuse_dots()?;
        }
        Ok(Some(filled))
    }

    /// Fills the template, for those who need to know nothing but the text.
    pub(in crate::binding) fn text(
        &self,
        data: &BindingData<'_>,
    ) -> Result<Option<String>, BindingError> {
        Ok(self.fill(data)?.map(|filled| filled.text))
    }

    /// What calls could make of it: with a letter for each argument, and with the defaults where there are.
    pub(in crate::binding) fn samples(&self) -> [String; 2] {
        [self.sample(|_| "x"), self.sample(|argument| argument.default().unwrap_or("x"))]
    }

    fn sample(&self, argument: fn(&Argument) -> &str) -> String {
        let mut sample = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(literal) => sample.push_str(literal),
                Part::Expression(Expression::Argument(own)) => sample.push_str(argument(own)),
                Part::Expression(Expression::Builtin(builtin)) => {
                    sample.push_str(&builtin.sample());
                }
            }
        }
        sample
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

impl Filled<'_> {
    /// The first argument that gave a part of a range of the text.
    pub(in crate::binding) fn source(&self, range: &Range<usize>) -> Option<&str> {
        let within = |part: &Range<usize>| part.start <= range.end && range.start <= part.end;
        self.sources.iter().find(|(part, _)| within(part)).map(|&(_, name)| name)
    }

    /// Refuses the segments `.` and `..` of a URL that a value and the text about it make up together.
    fn refuse_dots(&self) -> Result<(), BindingError> {
        let path = &self.text[..self.text.find(['?', '#']).unwrap_or(self.text.len())];
        let mut start = 0;
        for segment in path.split('/') {
            let range = start..start + segment.len();
            start = range.end + 1;
            let is_dots = matches!(segment, "." | "..") || segment::hides_dots(segment);
            if is_dots && let Some(argument) = self.source(&range) {
                return Err(BindingError::Argument {
                    argument: argument.to_owned(),
                    reason: "makes a URL that has a path segment `.` or `..`".to_owned(),
                });
            }
        }
        Ok(())
    }
}

fn fault(key: &str, text: &str, reason: String) -> DeclarationError {
    DeclarationError::Template { key: key.into(), text: text.into(), reason }
}
