//! What containers and queues may be called.

/// The rule, for messages.
pub(super) const FORM: &str =
    "expected 3 to 63 of `a` to `z`, `0` to `9` and single `-` between them";

/// Azure's rule, kept on every storage.
/// <https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata>,
/// <https://learn.microsoft.com/rest/api/storageservices/naming-queues-and-metadata>
pub(super) fn is_valid(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (3..=63).contains(&name.len())
        && name.chars().all(allowed)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
}
