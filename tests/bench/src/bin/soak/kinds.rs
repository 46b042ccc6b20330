//! The kinds of calls that are mixed, and what each must come to.

use bench::exchange::{Answer, Calls};

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Answers with its argument.
    Good,
    /// Answers with its argument, while it is replaced by other versions.
    Reloaded,
    /// Answers with a mebibyte.
    Large,
    /// Panics.
    Panics,
    /// Loops until its time is over.
    Loops,
    /// Takes memory until there is none.
    Eats,
    /// Sleeps, and nobody waits for it.
    Cancelled,
}

/// What a client of ours expects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// A result that ends with this.
    Text(String),
    /// A result of this length, all of it `x`.
    Length(usize),
    /// An error of the tool, which begins with one of these.
    Error(&'static [&'static str]),
    /// Nothing: the connection is closed.
    Nothing,
}

/// The time that a call has, as host.json says it and as the host says it.
pub(crate) const TIMEOUT: &str = "00:00:01";

impl Kind {
    pub(crate) const ALL: [Self; 7] = [
        Self::Good,
        Self::Reloaded,
        Self::Large,
        Self::Panics,
        Self::Loops,
        Self::Eats,
        Self::Cancelled,
    ];

    /// How many of the 32 connections make such calls.
    pub(crate) fn n_connections(self) -> usize {
        match self {
            Self::Good => 16,
            Self::Reloaded | Self::Panics => 4,
            Self::Large | Self::Loops | Self::Eats | Self::Cancelled => 2,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Reloaded => "reloaded",
            Self::Large => "large reply",
            Self::Panics => "panics",
            Self::Loops => "loops",
            Self::Eats => "eats memory",
            Self::Cancelled => "cancelled",
        }
    }

    /// The test program, the tool, and its arguments.
    pub(crate) fn params(self, number: u64) -> String {
        let text = Calls::text(number);
        match self {
            Self::Good => format!(r#"{{"name":"echo","arguments":{{"text":"{text}"}}}}"#),
            Self::Reloaded => {
                format!(r#"{{"name":"trivial_0000","arguments":{{"text":"{text}"}}}}"#)
            }
            Self::Large => r#"{"name":"returns_bytes","arguments":{"mib":1}}"#.to_owned(),
            Self::Panics => r#"{"name":"panics","arguments":{}}"#.to_owned(),
            Self::Loops => r#"{"name":"loops_forever","arguments":{}}"#.to_owned(),
            Self::Eats => r#"{"name":"eats_memory","arguments":{}}"#.to_owned(),
            Self::Cancelled => r#"{"name":"sleeps","arguments":{"ms":900}}"#.to_owned(),
        }
    }

    pub(crate) fn expected(self, number: u64) -> Expected {
        match self {
            Self::Good | Self::Reloaded => Expected::Text(Calls::text(number)),
            Self::Large => Expected::Length(1 << 20),
            Self::Panics => Expected::Error(&["the tool failed"]),
            Self::Loops => Expected::Error(&["the tool timed out after 1 s"]),
            // On a busy machine its time is over before its memory.
            Self::Eats => {
                Expected::Error(&["the tool ran out of memory", "the tool timed out after 1 s"])
            }
            Self::Cancelled => Expected::Nothing,
        }
    }
}

impl Expected {
    /// Whether a result is this.
    pub(crate) fn is(&self, answer: &Answer<'_>) -> bool {
        let Answer { text, is_error } = answer;
        match self {
            Self::Text(expected) => !is_error && text.ends_with(expected.as_str()),
            Self::Length(length) => {
                !is_error && text.len() == *length && text.bytes().all(|byte| byte == b'x')
            }
            Self::Error(expected) => {
                *is_error && expected.iter().any(|expected| text.starts_with(expected))
            }
            Self::Nothing => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_right_for_its_kind_only() {
        let result = |text: &'static str| Answer { text: text.into(), is_error: false };
        let error = |text| Answer { is_error: true, ..result(text) };
        assert!(Kind::Good.expected(7).is(&result("text 000000000007")));
        assert!(!Kind::Good.expected(7).is(&error("text 000000000007")));
        assert!(Kind::Panics.expected(7).is(&error("the tool failed (invocation 1)")));
        assert!(!Kind::Loops.expected(7).is(&error("the tool failed (invocation 1)")));
        assert!(!Kind::Large.expected(7).is(&result("xx")));
    }

    #[test]
    fn there_are_32_connections() {
        assert_eq!(Kind::ALL.map(Kind::n_connections).iter().sum::<usize>(), 32);
    }
}
