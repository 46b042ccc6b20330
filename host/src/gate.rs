//! The policy check between validation and the first input: allow, ask or deny.
//!
//! This version can only allow. What would ask a person or deny is refused at load, so nothing that
//! counts on the gate ever runs without it.

use serde_json::Value;
use thiserror::Error;

use crate::function::{Function, Invocation};

/// What happens to the invocations of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// They run.
    Allow,
}

/// A function that must not run before a person has agreed.
#[derive(Debug, Error)]
#[error("needs the gate, which this version does not have: {reason}")]
pub struct NeedsGate {
    reason: &'static str,
}

impl Policy {
    /// The policy of a function: a tool that says it is destructive asks first. Whatever is no tool changes nothing.
    pub fn of(function: &Function) -> Result<Self, NeedsGate> {
        let annotations = function.tool().and_then(|tool| tool.annotations.as_ref());
        let Some(annotations) = annotations else { return Ok(Self::Allow) };
        let Ok(hints) = serde_json::from_str::<Value>(annotations.get()) else {
            return Err(NeedsGate { reason: "its annotations cannot be read" });
        };
        match hints.get("destructiveHint") {
            Some(Value::Bool(true)) => Err(NeedsGate {
                reason: "its annotations declare `destructiveHint: true`, so a person is asked first",
            }),
            _ => Ok(Self::Allow),
        }
    }

    /// Lets an invocation pass.
    pub fn pass(self, _invocation: &Invocation) {
        match self {
            Self::Allow => {}
        }
    }
}
