//! What a call gives to fill templates from.

use std::collections::HashMap;

use serde_json::{Map, Number, Value, value::RawValue};

/// The arguments of one call, as values and as the text they came in.
#[derive(Clone, Copy, Debug)]
pub struct BindingData<'a> {
    arguments: &'a Map<String, Value>,
    text: &'a RawValue,
}

impl<'a> BindingData<'a> {
    /// `text` is the JSON object that `arguments` was read from: numbers are written as they stand there.
    pub fn new(arguments: &'a Map<String, Value>, text: &'a RawValue) -> Self {
        Self { arguments, text }
    }

    pub(super) fn arguments(&self) -> &'a Map<String, Value> {
        self.arguments
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
