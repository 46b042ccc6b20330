//! The one line that every invocation leaves in the log, however it ends.

use std::{sync::Arc, time::Instant};

use tracing::Span;

use super::InvokeError;
use crate::{
    function::{Invocation, Outcome},
    telemetry,
};

/// Longest failure detail that is logged.
const MAX_DETAILS: usize = 1 << 10;

/// An invocation that has begun. Dropped without an end, it was cancelled.
#[derive(Debug)]
pub(super) struct Record {
    invocation: Arc<Invocation>,
    started: Instant,
    span: Span,
    ended: bool,
}

impl Record {
    pub(super) fn begin(invocation: &Arc<Invocation>, started: Instant, span: Span) -> Self {
        Self { invocation: Arc::clone(invocation), started, span, ended: false }
    }

    pub(super) fn end(mut self, result: &Result<Outcome, InvokeError>) {
        self.ended = true;
        let _entered = self.span.enter();
        let id = self.invocation.id.as_str();
        match result {
            Err(error) => error.log(id),
            Ok(Outcome::Failure(failure)) => {
                if let Some(details) = &failure.details {
                    let details = details.get();
                    let details = &details[..details.floor_char_boundary(MAX_DETAILS)];
                    tracing::info!(invocation = id, details, "the guest's own failure");
                }
            }
            Ok(_) => {}
        }
        self.line(outcome(result));
    }

    fn line(&self, outcome: &'static str) {
        let Invocation { id, function, .. } = &*self.invocation;
        telemetry::invoked(id.as_str(), function.trigger.name(), outcome, self.started.elapsed());
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if !self.ended {
            let _entered = self.span.enter();
            self.line("cancelled");
        }
    }
}

fn outcome(result: &Result<Outcome, InvokeError>) -> &'static str {
    match result {
        Ok(Outcome::Failure(_)) => "failure",
        Ok(Outcome::Reply(reply)) if reply.is_error => "failure",
        Ok(Outcome::InputRequired(_)) => "input required",
        Ok(_) => "reply",
        Err(error) => error.kind(),
    }
}
