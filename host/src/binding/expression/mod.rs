//! Templates in declarations: `snippets/{mcptoolargs.snippetname}.json`, read at load, filled per call.
//!
//! `%Setting%` is replaced first, and only in the configured text, so no argument can name a setting.
//! What is left is literal text, `{{` and `}}`, and expressions. What a template is for decides which values it takes:
//! [`Purpose`]. A new kind of expression is a variant of [`Expression`], or of [`Builtin`], with a file of its own.

mod argument;
mod brackets;
mod builtin;
mod data;
mod guid;
mod purpose;
mod reference;
mod settings;
#[cfg(test)]
mod table;
#[cfg(test)]
mod tests;
mod time;

pub use self::data::BindingData;
pub(in crate::binding) use self::{
    purpose::Purpose,
    settings::{Replaced, replace_settings},
};

use std::ops::Range;

use self::{
    argument::Argument,
    brackets::{Piece, pieces},
    builtin::{Builtin, Known},
    reference::{Place, Reference},
};
use super::{BindingError, DeclarationError, Scope, scope::Root, segment};
use crate::nearest;

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
    /// `{DateTime}`, or what else the host knows.
    Builtin(Builtin),
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
        let fault = |reason| fault(key, text, reason);
        let replaced = replace_settings(text, settings).map_err(fault)?;
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

impl Expression {
    /// Finds what a reference means, and says what a person should know of it.
    fn parse(
        reference: Reference<'_>,
        purpose: Purpose,
        scope: &Scope<'_>,
    ) -> Result<(Part, Option<String>), String> {
        let (first, rest) = match reference.name.split_once('.') {
            None => (reference.name, ""),
            Some((first, rest)) => (first, rest),
        };
        let root = scope.root();
        let argument = |name| {
            let (argument, notice) = Argument::parse(reference, name, purpose, scope)?;
            Ok((Part::Expression(Self::Argument(argument)), notice))
        };
        match Root::parse(first) {
            Some(own) if own == root => return argument(rest),
            Some(_) => {
                return Err(format!(
                    "{} is not for this kind of function (expected `{{{}.NAME}}`)",
                    reference.place,
                    root.as_str()
                ));
            }
            None => {}
        }
        // What the function's author named goes before what we named.
        if root.is_optional() && has_argument(scope, first) {
            return argument(reference.name);
        }
        match Builtin::parse(reference, purpose, scope)? {
            Some((Known::PerCall(builtin), notice)) => {
                Ok((Part::Expression(Self::Builtin(builtin)), notice))
            }
            Some((Known::Text(text), notice)) => Ok((Part::Literal(text), notice)),
            None if root.is_optional() && meant(reference.name).is_none() => {
                argument(reference.name)
            }
            None => Err(unknown(&reference, first, scope)),
        }
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

fn has_argument(scope: &Scope<'_>, name: &str) -> bool {
    let name = name.to_lowercase();
    scope.schema().properties().any(|(own, _)| own.to_lowercase() == name)
}

/// What the host knows by nearly this name.
fn meant(name: &str) -> Option<&'static str> {
    nearest::nearest(name.trim(), builtin::NAMES)
}

fn unknown(reference: &Reference<'_>, first: &str, scope: &Scope<'_>) -> String {
    let (place, root) = (reference.place, scope.root().as_str());
    let name = reference.name;
    let meant = if !reference.is_from_setting() && has_argument(scope, name) {
        Some(format!("{root}.{name}"))
    } else if nearest::nearest(first.trim(), [root]).is_some() {
        Some(format!("{root}.NAME"))
    } else {
        meant(name).map(str::to_owned)
    };
    if let Some(meant) = meant {
        return format!("unknown expression {place} (did you mean `{{{meant}}}`?)");
    }
    let names: Vec<String> = builtin::NAMES.iter().map(|name| format!(", `{{{name}}}`")).collect();
    format!("unknown expression {place} (expected `{{{root}.NAME}}`{})", names.concat())
}
