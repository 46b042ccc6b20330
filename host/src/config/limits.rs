//! The wire form of limits, in the order of their places: a default, what host.json says for all functions,
//! what it says for one.

use std::time::Duration;

use serde::Deserialize;

use super::{
    document::Document,
    error::{ConfigError, ConfigErrorKind},
    pointer::join,
};
use crate::function::{Concurrency, Limits, Warm};

/// What may stand at the top of host.json for all functions, and in a function for that one.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct LimitsWire {
    function_timeout: Option<String>,
    limits: Amounts,
    max_concurrency: Option<usize>,
    max_queue: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Amounts {
    #[serde(rename = "memoryMiB")]
    memory_mib: Option<usize>,
    cpu_time_ms: Option<u64>,
    table_elements: Option<usize>,
    handles: Option<usize>,
    #[serde(rename = "argumentsKiB")]
    arguments_kib: Option<usize>,
    #[serde(rename = "replyMiB")]
    reply_mib: Option<usize>,
    #[serde(rename = "logKiB")]
    log_kib: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WarmWire {
    max: Option<usize>,
    max_uses: Option<u32>,
    idle: Option<String>,
}

impl LimitsWire {
    /// What is said here, over `outer`. `at` is the object that it stands in.
    pub(super) fn limits(
        &self,
        outer: &Limits,
        document: &Document,
        at: &str,
    ) -> Result<Limits, ConfigError> {
        let said = &self.limits;
        let time = match self.function_timeout.as_deref() {
            None => outer.time,
            Some("-1") => None,
            Some(text) => Some(at_least_a_second(text, document, &join(at, "functionTimeout"))?),
        };
        Ok(Limits {
            time,
            cpu_time: said.cpu_time_ms.map(Duration::from_millis).or(outer.cpu_time),
            memory: said.memory_mib.map_or(outer.memory, |mib| mib << 20),
            table_elements: said.table_elements.unwrap_or(outer.table_elements),
            handles: said.handles.unwrap_or(outer.handles),
            arguments: said.arguments_kib.map(|kib| kib << 10).or(outer.arguments),
            reply: said.reply_mib.map_or(outer.reply, |mib| mib << 20),
            log: said.log_kib.map_or(outer.log, |kib| kib << 10),
        })
    }

    /// What is said here, over `outer`.
    pub(super) fn concurrency(&self, outer: Concurrency) -> Concurrency {
        Concurrency {
            running: self.max_concurrency.or(outer.running),
            waiting: self.max_queue.unwrap_or(outer.waiting),
        }
    }
}

impl WarmWire {
    /// What is said here, over the defaults. `at` is its own place.
    pub(super) fn warm(&self, document: &Document, at: &str) -> Result<Warm, ConfigError> {
        let default = Warm::default();
        Ok(Warm {
            max: self.max.unwrap_or(default.max),
            max_uses: self.max_uses.unwrap_or(default.max_uses),
            idle: match self.idle.as_deref() {
                None => default.idle,
                Some(text) => at_least_a_second(text, document, &join(at, "idle"))?,
            },
        })
    }
}

pub(super) fn at_least_a_second(
    text: &str,
    document: &Document,
    pointer: &str,
) -> Result<Duration, ConfigError> {
    duration(text).filter(|duration| *duration >= Duration::from_secs(1)).ok_or_else(|| {
        let reason = format!("expected at least `00:00:01`, got `{text}`");
        document.error(pointer, ConfigErrorKind::Invalid(reason))
    })
}

/// `hh:mm:ss` with days before it if need be; the schema has checked the form.
fn duration(text: &str) -> Option<Duration> {
    let (days, time) = text.split_once('.').unwrap_or(("0", text));
    let mut parts = time.split(':').map(str::parse::<u64>);
    let mut next = || parts.next()?.ok();
    let (hours, minutes, seconds) = (next()?, next()?, next()?);
    let days: u64 = days.parse().ok()?;
    Some(Duration::from_secs(((days * 24 + hours) * 60 + minutes) * 60 + seconds))
}
