//! What there is at the other end of a connection, for a person who wants to know before the first call.

use std::time::Duration;

/// A connection that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its name.
    pub connection: String,
    /// What it leads to, in a word: `folder`, `azure`.
    pub kind: &'static str,
    /// Where that is, without a secret.
    pub place: String,
    /// What was found, place by place; none, where nothing uses it.
    pub findings: Vec<Finding>,
}

/// What was found at one place of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at: a container.
    pub at: String,
    /// What is there.
    pub found: Result<String, String>,
}

impl Probe {
    /// How long one place may take to answer.
    pub const MAX_TIME: Duration = Duration::from_secs(15);

    /// Whether all that was tried answered.
    pub fn is_good(&self) -> bool {
        self.findings.iter().all(|finding| finding.found.is_ok())
    }
}
