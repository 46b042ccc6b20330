//! `log`: structured lines, written to the host's log with the tool and the invocation.

use crate::guest::{
    bindings::mcpfn::function::{
        log::{Host, Level},
        types::{Field, Value},
    },
    output::{Printed, push_printable},
};

pub(in crate::guest) struct Log {
    printed: Printed,
}

impl Log {
    pub(in crate::guest) fn new(printed: Printed) -> Self {
        Self { printed }
    }
}

impl Host for Log {
    fn write(&mut self, level: Level, message: String, fields: Vec<Field>) {
        let mut line = String::new();
        push_printable(&mut line, &message);
        for field in fields {
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
        let level = match level {
            Level::Trace => tracing::Level::TRACE,
            Level::Debug => tracing::Level::DEBUG,
            Level::Info => tracing::Level::INFO,
            Level::Warn => tracing::Level::WARN,
            Level::Error => tracing::Level::ERROR,
        };
        self.printed.log(level, &line);
    }
}
