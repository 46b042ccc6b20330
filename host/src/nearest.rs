//! The known name that was probably meant, for messages.

/// More names than this help nobody who reads a message.
const MAX_LISTED: usize = 12;

/// What follows an unknown name in a message: `` (did you mean `x`?)``, or else the names there are,
/// `` (expected `a`, `b`)``; nothing when there are none.
pub(crate) fn hint<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(name, known.iter().copied()) {
        return format!(" (did you mean `{near}`?)");
    }
    let listed: Vec<String> =
        known.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    match known.len() {
        0 => String::new(),
        n_known if n_known > MAX_LISTED => {
            format!(" (expected {} or {} more)", listed.join(", "), n_known - MAX_LISTED)
        }
        _ => format!(" (expected {})", listed.join(", ")),
    }
}

/// The nearest of the known names, case ignored; none, when no name is near enough to be meant.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let folded = name.to_lowercase();
    known
        .into_iter()
        .map(|candidate| {
            (strsim::damerau_levenshtein(&folded, &candidate.to_lowercase()), candidate)
        })
        .filter(|&(distance, candidate)| distance <= 1 + candidate.chars().count() / 4)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn a_hint_is_the_nearest_name_or_else_the_first_of_all_names() {
        assert_eq!(hint("PATHH", ["path", "type"]), " (did you mean `path`?)");
        assert_eq!(hint("xyzzy", ["path", "type"]), " (expected `path`, `type`)");
        assert_eq!(hint("xyzzy", []), "");
        let many: Vec<String> = (10..30).map(|number| format!("name-{number}")).collect();
        let hint = hint("xyzzy", many.iter().map(String::as_str));
        assert!(hint.ends_with("`name-20`, `name-21` or 8 more)"), "{hint}");
    }
}
