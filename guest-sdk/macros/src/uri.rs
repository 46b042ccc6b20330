//! The variables of a URI template: `note://{folder}/{+path}`.

use syn::{Error, LitStr, Result};

/// The names of the variables, in order. The forms of RFC 6570 that the host has: `{name}` and `{+name}`.
pub(crate) fn variables(uri: &LitStr) -> Result<Vec<String>> {
    let text = uri.value();
    let wrong = |what: &str| Err(Error::new(uri.span(), format!("the URI `{text}` {what}")));
    if !has_scheme(&text) {
        return wrong("has no scheme: `notes://{title}`");
    }
    let mut found: Vec<String> = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        let (brace, after) = rest[at..].split_at(1);
        if brace == "}" {
            return wrong("has a `}` without its `{`");
        }
        let Some(end) = after.find(['{', '}']).filter(|end| after[*end..].starts_with('}')) else {
            return wrong("has a `{` without its `}`");
        };
        let name = after[..end].strip_prefix('+').unwrap_or(&after[..end]);
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return wrong(&format!(
                "has `{{{}}}`; a variable is `{{name}}`, or `{{+name}}` where it may have a `/`",
                &after[..end]
            ));
        }
        if found.iter().any(|earlier| earlier == name) {
            return wrong(&format!("has the variable `{name}` twice"));
        }
        found.push(name.to_owned());
        rest = &after[end + 1..];
    }
    Ok(found)
}

/// RFC 3986: a letter, then letters, digits, `+`, `-`, `.`
fn has_scheme(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else { return false };
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.chars().all(fits)
        && !rest.is_empty()
}
