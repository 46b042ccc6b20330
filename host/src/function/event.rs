//! What a function says while it runs.

use std::fmt::Debug;

/// What a function says while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// How far the work is.
    Progress {
        /// How much is done.
        done: f64,
        /// Of how much, when that is known.
        total: Option<f64>,
        /// In words.
        message: Option<String>,
    },
    /// A line of its log.
    Log {
        /// How much it matters.
        level: LogLevel,
        /// The line.
        message: String,
        /// What goes with it: names and texts.
        fields: Vec<(String, String)>,
    },
    /// A list that clients may have read has other entries.
    ListChanged(ListKind),
    /// The resource of this URI has other contents.
    ResourceUpdated(String),
}

/// How much a line matters, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Every step.
    Trace,
    /// For whoever looks for a mistake.
    Debug,
    /// The ordinary course of things.
    Info,
    /// Something to look at.
    Warn,
    /// Something went wrong.
    Error,
}

/// What a client can list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// Tools.
    Tools,
    /// Resources and their templates.
    Resources,
    /// Prompts.
    Prompts,
}

/// Who hears what a function says while it runs.
///
/// Called on the thread that runs the guest: must neither block nor keep without bound.
pub trait Listener: Debug + Send + Sync {
    /// Takes note of it.
    fn tell(&self, event: Event);

    /// Whether lines of this level are heard at all: others need not be put together.
    fn hears(&self, level: LogLevel) -> bool;
}
