//! What a function says while it runs, as notifications on the stream of the request.

use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};

use super::{Outgoing, changes::Changes, jsonrpc};
use crate::function::{Event, Listener, LogLevel};

/// Hears one invocation for its client.
#[derive(Debug)]
pub(super) struct Heard {
    outgoing: Outgoing,
    /// What the client knows progress by; without it, it wants none.
    progress_token: Option<Box<RawValue>>,
    /// From which level on the client wants to hear lines; without it, it wants none.
    log_level: Option<LogLevel>,
    /// What the log is called: the tool, the prompt or the resource.
    logger: Box<str>,
    changes: Arc<Changes>,
}

/// What a client wants to hear of an invocation.
#[derive(Debug, Default)]
pub(super) struct Wanted<'a> {
    /// `progressToken` in `_meta`.
    pub(super) progress_token: Option<&'a RawValue>,
    /// The level from which on it wants lines of the log.
    pub(super) log_level: Option<LogLevel>,
}

impl Wanted<'_> {
    /// Who hears an invocation: most clients want nothing, and then only changes count.
    pub(super) fn listener(
        &self,
        outgoing: Option<&Outgoing>,
        changes: &Arc<Changes>,
        logger: &str,
    ) -> Arc<dyn Listener> {
        let is_heard = self.progress_token.is_some() || self.log_level.is_some();
        let Some(outgoing) = outgoing.filter(|_| is_heard) else {
            return Arc::<Changes>::clone(changes);
        };
        Arc::new(Heard {
            outgoing: outgoing.clone(),
            progress_token: self.progress_token.map(ToOwned::to_owned),
            log_level: self.log_level,
            logger: logger.into(),
            changes: Arc::clone(changes),
        })
    }
}

impl Listener for Heard {
    fn tell(&self, event: Event) {
        // A client that reads too slowly misses some: the guest does not wait.
        match event {
            Event::Progress { done, total, message } => {
                if let Some(token) = &self.progress_token {
                    self.outgoing.tell(progress(token, done, total, message.as_deref()));
                }
            }
            Event::Log { level, message, fields } => {
                if self.hears(level) {
                    self.outgoing.tell(log(level, &self.logger, message, fields));
                }
            }
            change => self.changes.tell(change),
        }
    }

    fn hears(&self, level: LogLevel) -> bool {
        self.log_level.is_some_and(|wanted| level >= wanted)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProgressParams<'a> {
    progress_token: &'a RawValue,
    progress: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

fn progress(token: &RawValue, done: f64, total: Option<f64>, message: Option<&str>) -> Bytes {
    let params = ProgressParams {
        progress_token: token,
        progress: number(done),
        total: total.map(number),
        message,
    };
    jsonrpc::notification("notifications/progress", &params)
}

/// A whole number without a fraction, as people write it.
fn number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole, and within the range")]
    if number.fract() == 0.0 && number.abs() < EXACT {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

#[derive(Serialize)]
struct LogParams<'a> {
    level: &'static str,
    logger: &'a str,
    data: Value,
}

fn log(level: LogLevel, logger: &str, message: String, fields: Vec<(String, String)>) -> Bytes {
    let data = if fields.is_empty() {
        Value::from(message)
    } else {
        let mut data = Map::new();
        data.insert("message".to_owned(), Value::from(message));
        data.extend(fields.into_iter().map(|(name, value)| (name, Value::from(value))));
        Value::from(data)
    };
    let params = LogParams { level: level_name(level), logger, data };
    jsonrpc::notification("notifications/message", &params)
}

/// The protocol's names are those of syslog (RFC 5424).
fn level_name(level: LogLevel) -> &'static str {
    match level {
        LogLevel::Trace | LogLevel::Debug => "debug",
        LogLevel::Info => "info",
        LogLevel::Warn => "warning",
        LogLevel::Error => "error",
    }
}

/// The least of our levels that a client hears who asks for this one. None: it is none of the protocol's.
pub(super) fn threshold(name: &str) -> Option<Threshold> {
    Some(match name {
        "debug" => Threshold::From(LogLevel::Trace),
        "info" => Threshold::From(LogLevel::Info),
        "notice" | "warning" => Threshold::From(LogLevel::Warn),
        "error" => Threshold::From(LogLevel::Error),
        // No function logs at these.
        "critical" | "alert" | "emergency" => Threshold::Silent,
        _ => return None,
    })
}

/// Which lines a client wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threshold {
    /// Those of this level, and of all above.
    From(LogLevel),
    /// None that a function writes.
    Silent,
}

impl Threshold {
    /// The least level.
    pub(super) fn level(self) -> Option<LogLevel> {
        match self {
            Self::From(level) => Some(level),
            Self::Silent => None,
        }
    }
}
