//! The revisions of the protocol.

/// The revision without `initialize`.
pub(super) const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`, newest first.
pub(super) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Every revision that is served, newest first.
pub(super) const SUPPORTED: [&str; 5] = [MODERN, LEGACY[0], LEGACY[1], LEGACY[2], LEGACY[3]];

/// How a request and its answer are shaped (2026-07-28, basic/versioning, Terminology).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// 2026-07-28: every request says all about itself.
    Modern,
    /// 2025-11-25 and before: `initialize` comes first, and sessions may.
    Legacy,
}
