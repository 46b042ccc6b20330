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
mod template;
#[cfg(test)]
mod tests;
mod time;

pub use self::data::BindingData;
pub(in crate::binding) use self::{
    purpose::Purpose,
    settings::{Replaced, replace_settings},
    template::{Part, Template},
};

use self::{
    argument::Argument,
    builtin::{Builtin, Known},
    reference::Reference,
};
use super::{Scope, scope::Root};
use crate::nearest;

/// What stands between `{` and `}`.
#[derive(Clone, Debug)]
pub(in crate::binding) enum Expression {
    /// `{mcptoolargs.name}`, or the like for other kinds of functions.
    Argument(Argument),
    /// `{DateTime}`, or what else the host knows.
    Builtin(Builtin),
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
