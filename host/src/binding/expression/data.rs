//! What a call gives to fill templates from.

use std::{cell::OnceCell, collections::HashMap, time::SystemTime};

use chrono::{DateTime, Utc};
use serde_json::{Map, Number, Value, value::RawValue};

use crate::function::Invocation;

/// What one call gives: its arguments, as values and as the text they came in, its session and its time.
#[derive(Clone, Debug)]
pub struct BindingData<'a> {
    arguments: &'a Map<String, Value>,
    text: &'a RawValue,
    session: Option<&'a str>,
    /// Read once, so that all bindings of a call agree.
    now: OnceCell<DateTime<Utc>>,
}

impl<'a> BindingData<'a> {
    /// `arguments` are those of the invocation, read: numbers are written as they stand in its text.
    pub fn new(invocation: &'a Invocation, arguments: &'a Map<String, Value>) -> Self {
        Self {
            arguments,
            text: &invocation.arguments,
            session: invocation.caller.session.as_deref(),
            now: OnceCell::new(),
        }
    }

    #[cfg(test)]
    pub(in crate::binding) fn of_arguments(
        arguments: &'a Map<String, Value>,
        text: &'a RawValue,
    ) -> Self {
        Self { arguments, text, session: None, now: OnceCell::new() }
    }

    #[cfg(test)]
    pub(super) fn in_session(self, session: &'a str) -> Self {
        Self { session: Some(session), ..self }
    }

    #[cfg(test)]
    pub(super) fn at(self, now: DateTime<Utc>) -> Self {
        Self { now: OnceCell::from(now), ..self }
    }

    pub(super) fn arguments(&self) -> &'a Map<String, Value> {
        self.arguments
    }

    /// What functions know the session by.
    pub(super) fn session(&self) -> Option<&'a str> {
        self.session
    }

    /// The time of the call.
    pub(super) fn now(&self) -> DateTime<Utc> {
        *self.now.get_or_init(|| SystemTime::now().into())
    }

    /// The digits of a number as the client wrote them, which a float may not keep.
    pub(super) fn digits(&self, path: &[String], number: &Number) -> String {
        if number.is_i64() || number.is_u64() {
            return number.to_string();
        }
        let found = path.iter().try_fold(self.text, |text, name| {
            let mut members: HashMap<String, &RawValue> = serde_json::from_str(text.get()).ok()?;
            members.remove(name)
        });
        found.map_or_else(|| number.to_string(), |text| text.get().to_owned())
    }
}
