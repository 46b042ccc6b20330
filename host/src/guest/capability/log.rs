//! `log`: structured lines, written to the host's log with the tool and the invocation.

use super::context::Context;
use crate::{
    function::{Event, LogLevel},
    guest::{
        bindings::mcpfn::function::{
            log::{Host, Level},
            types::{Field, Value},
        },
        output::{MAX_LINE, Printed, push_printable},
    },
};

pub(in crate::guest) struct Log {
    printed: Printed,
}

impl Log {
    pub(in crate::guest) fn new(printed: Printed) -> Self {
        Self { printed }
    }
}

/// The two that a line goes through: the log, and the one who hears it.
pub(in crate::guest) struct View<'a> {
    pub(in crate::guest) log: &'a Log,
    pub(in crate::guest) context: &'a Context,
}

impl Host for View<'_> {
    fn write(&mut self, level: Level, message: String, fields: Vec<Field>) {
        let mut line = String::new();
        push_printable(&mut line, &message);
        for field in &fields {
            push_printable(&mut line, " ");
            push_printable(&mut line, &field.name);
            push_printable(&mut line, "=");
            match &field.value {
                Value::Text(text) | Value::Json(text) => push_printable(&mut line, text),
                Value::Bytes(bytes) => {
                    push_printable(&mut line, &format!("<{} bytes>", bytes.len()));
                }
            }
        }
        let (level, told) = match level {
            Level::Trace => (tracing::Level::TRACE, LogLevel::Trace),
            Level::Debug => (tracing::Level::DEBUG, LogLevel::Debug),
            Level::Info => (tracing::Level::INFO, LogLevel::Info),
            Level::Warn => (tracing::Level::WARN, LogLevel::Warn),
            Level::Error => (tracing::Level::ERROR, LogLevel::Error),
        };
        let is_whole = self.log.printed.log(level, &line);
        if let Some(listener) = self.context.listener().filter(|it| is_whole && it.hears(told)) {
            listener.tell(told_line(told, message, fields));
        }
    }
}

/// A line as a client gets it: no longer than in the log, and without bytes, which are nothing to read.
fn told_line(level: LogLevel, mut message: String, fields: Vec<Field>) -> Event {
    let mut room = MAX_LINE;
    cut(&mut message, &mut room);
    let mut told = Vec::new();
    for Field { mut name, value } in fields {
        let (Value::Text(mut text) | Value::Json(mut text)) = value else { continue };
        cut(&mut name, &mut room);
        cut(&mut text, &mut room);
        if room == 0 {
            break;
        }
        told.push((name, text));
    }
    Event::Log { level, message, fields: told }
}

fn cut(text: &mut String, room: &mut usize) {
    text.truncate(text.floor_char_boundary(*room));
    *room -= text.len();
}
