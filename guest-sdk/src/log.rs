//! Lines in the host's log, with the invocation they belong to.
//!
//! What a guest prints reaches the log as well; a line written here has a level and fields. In a native test it goes
//! to standard error.
//!
//! ```
//! use mcpfn_sdk::log;
//!
//! log::info!("saved {} characters", 42);
//! log::write(log::Level::Warn, "almost full", &[("used", "97 %")]);
//! ```

#[doc(inline)]
pub use crate::{
    __log_debug as debug, __log_error as error, __log_info as info, __log_trace as trace,
    __log_warn as warn,
};

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
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

/// Writes one line, with named values beside the message.
pub fn write(level: Level, message: &str, fields: &[(&str, &str)]) {
    #[cfg(target_family = "wasm")]
    {
        use crate::wit::{Field, Value, log};

        let level = match level {
            Level::Trace => log::Level::Trace,
            Level::Debug => log::Level::Debug,
            Level::Info => log::Level::Info,
            Level::Warn => log::Level::Warn,
            Level::Error => log::Level::Error,
        };
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| Field {
                name: (*name).to_owned(),
                value: Value::Text((*value).to_owned()),
            })
            .collect();
        log::write(level, message, &fields);
    }
    #[cfg(not(target_family = "wasm"))]
    {
        use std::io::Write;

        // A test that cannot print has nothing better to do than to go on.
        let _ = writeln!(std::io::stderr(), "{level:?}: {message} {fields:?}");
    }
}

/// Logs a message at trace level; takes what `format!` takes.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_trace {
    ($($message:tt)+) => {
        $crate::log::write($crate::log::Level::Trace, &::std::format!($($message)+), &[])
    };
}

/// Logs a message at debug level; takes what `format!` takes.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_debug {
    ($($message:tt)+) => {
        $crate::log::write($crate::log::Level::Debug, &::std::format!($($message)+), &[])
    };
}

/// Logs a message at info level; takes what `format!` takes.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_info {
    ($($message:tt)+) => {
        $crate::log::write($crate::log::Level::Info, &::std::format!($($message)+), &[])
    };
}

/// Logs a message at warn level; takes what `format!` takes.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_warn {
    ($($message:tt)+) => {
        $crate::log::write($crate::log::Level::Warn, &::std::format!($($message)+), &[])
    };
}

/// Logs a message at error level; takes what `format!` takes.
#[doc(hidden)]
#[macro_export]
macro_rules! __log_error {
    ($($message:tt)+) => {
        $crate::log::write($crate::log::Level::Error, &::std::format!($($message)+), &[])
    };
}
