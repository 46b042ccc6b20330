//! Doc comments as descriptions.

use syn::{Attribute, Lit, Meta};

use crate::attribute::literal;

/// The text of the doc comments, its lines joined to paragraphs; `None` when there is none.
pub(crate) fn description(attrs: &[Attribute]) -> Option<String> {
    let comments: Vec<String> = attrs.iter().filter_map(doc_line).collect();
    let mut text = String::new();
    let mut break_before = "";
    let mut in_code = false;
    for line in comments.iter().flat_map(|comment| comment.split('\n')) {
        let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
        let is_fence = line.starts_with("```");
        if line.is_empty() && !in_code {
            break_before = "\n\n";
            continue;
        }
        // Source lines are wrapped at will; these breaks are meant.
        let is_own_line = is_fence || ["- ", "* ", "|"].iter().any(|start| line.starts_with(start));
        if (in_code || is_own_line) && break_before == " " {
            break_before = "\n";
        }
        text.push_str(if text.is_empty() { "" } else { break_before });
        text.push_str(line);
        in_code ^= is_fence;
        break_before = if in_code || is_fence { "\n" } else { " " };
    }
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn doc_line(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else { return None };
    if !pair.path.is_ident("doc") {
        return None;
    }
    match literal(&pair.value) {
        Some(Lit::Str(text)) => Some(text.value()),
        _ => None,
    }
}
