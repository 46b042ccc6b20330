//! The arguments that a text names: `snippets/{mcptoolargs.name}.json`.

use syn::{Error, LitStr, Result};

use crate::{argument::Argument, name, trigger::Kind};

/// Names that the host knows without being told.
const OF_THE_HOST: &[&str] = &["rand-guid", "datetime", "mcpsessionid"];

/// What functions of all kinds call their arguments.
const ROOTS: &[&str] = &["mcptoolargs", "mcpresourceargs", "mcppromptargs"];

/// The arguments that a text names, in order; `noun` is what a message calls the text. Everything else in braces is the
/// host's to know. The variables of a resource have no root before them if they do not want one: `{name}`.
pub(crate) fn arguments(noun: &str, template: &LitStr, kind: Kind) -> Result<Vec<String>> {
    let root = kind.root();
    let text = template.value();
    let wrong = |what: &str| {
        // A key is quoted itself.
        let message = if noun.starts_with('`') {
            format!("{noun} {what}")
        } else {
            format!("{noun} `{text}` {what}")
        };
        Err(Error::new(template.span(), message))
    };
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        let (brace, after) = rest[at..].split_at(1);
        // A doubled brace is a brace.
        if let Some(after) = after.strip_prefix(brace) {
            rest = after;
            continue;
        }
        if brace == "}" {
            return wrong("has a `}` without its `{`");
        }
        let Some(end) = after.find(['{', '}']).filter(|end| after[*end..].starts_with('}')) else {
            return wrong("has a `{` without its `}`");
        };
        let expression = &after[..end];
        // Then come a format and a default.
        let target = expression.split([':', '=']).next().unwrap_or_default();
        let mut parts = target.split('.');
        if target.split('.').any(|part| part.trim().is_empty()) {
            return wrong("has an empty name in braces");
        }
        let first = parts.next().unwrap_or_default();
        if first.eq_ignore_ascii_case(root) {
            match parts.next() {
                Some(argument) => found.push(argument.to_owned()),
                None => return wrong(&format!("names no argument: write `{{{root}.name}}`")),
            }
        } else if let Some(other) = ROOTS.iter().find(|other| first.eq_ignore_ascii_case(other)) {
            let noun = kind.noun();
            return wrong(&format!("speaks of `{other}`; of a {noun} it is `{{{root}.name}}`"));
        } else if kind == Kind::Resource
            && parts.next().is_none()
            && !OF_THE_HOST.iter().any(|name| first.eq_ignore_ascii_case(name))
        {
            found.push(first.to_owned());
        }
        rest = &after[end + 1..];
    }
    Ok(found)
}

/// How a name in a text fits the arguments.
pub(crate) enum Match<'a> {
    One(&'a Argument),
    /// Nothing fits; why, with the nearest name.
    None(String),
}

/// An argument fits exactly, or as the only one that is equal when case is ignored.
pub(crate) fn find<'a>(
    noun: &str,
    kind: Kind,
    wanted: &str,
    arguments: &[&'a Argument],
) -> Match<'a> {
    if let Some(exact) = arguments.iter().find(|argument| argument.name == wanted) {
        return Match::One(exact);
    }
    let same: Vec<_> =
        arguments.iter().filter(|argument| argument.name.eq_ignore_ascii_case(wanted)).collect();
    match same.as_slice() {
        [one] => Match::One(one),
        [] if arguments.is_empty() => {
            let function = kind.noun();
            Match::None(format!(
                "{noun} names the argument `{wanted}`, and the {function} has none"
            ))
        }
        [] => {
            let names: Vec<_> = arguments.iter().map(|argument| &argument.name).collect();
            let hint = name::hint(wanted, &names);
            Match::None(format!("{noun} names no argument: there is no `{wanted}`{hint}"))
        }
        many => {
            let n_many = many.len();
            Match::None(format!(
                "{noun} names `{wanted}`, and {n_many} arguments differ from it in case only"
            ))
        }
    }
}
