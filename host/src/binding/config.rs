//! The keys of a declaration, read one by one.

use serde_json::{Map, Value as JsonValue};

use super::DeclarationError;
use crate::{
    function::{BindingDecl, Origin},
    nearest,
};

/// The keys of a declaration.
pub(super) struct Config<'c>(pub(super) &'c Map<String, JsonValue>);

impl<'c> Config<'c> {
    /// There may be no others.
    pub(super) fn known(&self, keys: &[&str]) -> Result<(), DeclarationError> {
        match self.0.keys().find(|key| !keys.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let hint = nearest::hint(key, keys.iter().copied());
                Err(fault(key, format!("unknown key{hint}")))
            }
        }
    }

    /// None of these may be there.
    pub(super) fn refuse(&self, keys: &[&str], reason: &str) -> Result<(), DeclarationError> {
        match keys.iter().find(|key| self.get(key).is_some()) {
            None => Ok(()),
            Some(key) => Err(fault(key, reason.to_owned())),
        }
    }

    /// What is given; null is as good as nothing.
    pub(super) fn get(&self, key: &str) -> Option<&'c JsonValue> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A text.
    pub(super) fn text(&self, key: &str) -> Result<Option<&'c str>, DeclarationError> {
        match self.get(key) {
            None => Ok(None),
            Some(JsonValue::String(text)) => Ok(Some(text)),
            Some(_) => Err(fault(key, "expected a string".to_owned())),
        }
    }

    /// One of the texts that are known.
    pub(super) fn one_of(
        &self,
        key: &str,
        known: &[&str],
    ) -> Result<Option<&'c str>, DeclarationError> {
        match self.text(key)? {
            Some(other) if !known.contains(&other) => {
                let hint = nearest::hint(other, known.iter().copied());
                Err(fault(key, format!("unknown `{other}`{hint}")))
            }
            found => Ok(found),
        }
    }

    /// Yes or no.
    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, DeclarationError> {
        match self.get(key) {
            None => Ok(None),
            Some(JsonValue::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(fault(key, "expected `true` or `false`".to_owned())),
        }
    }

    /// A number from 1.
    pub(super) fn number(&self, key: &str, max: u64) -> Result<Option<u64>, DeclarationError> {
        match self.get(key) {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) if (1..=max).contains(&number) => Ok(Some(number)),
                _ if max == u64::MAX => Err(fault(key, "expected a number from 1".to_owned())),
                _ => Err(fault(key, format!("expected a number from 1 to {max}"))),
            },
        }
    }
}

/// Refuses settings in the declaration of a component, which may be a stranger's: what is put into a name or a text can
/// be read back from there, so it could read any setting, and any variable of the process.
pub(super) fn refuse_settings(declaration: &BindingDecl) -> Result<(), DeclarationError> {
    let has_setting = |value: &JsonValue| match value {
        JsonValue::String(text) => text.contains('%'),
        JsonValue::Object(members) => {
            members.values().any(|value| value.as_str().is_some_and(|text| text.contains('%')))
        }
        _ => false,
    };
    let mut keys = declaration.config.iter();
    match (declaration.origin, keys.find(|(_, value)| has_setting(value))) {
        (Origin::Component, Some((key, _))) => Err(fault(
            key,
            "a component names no setting, so it holds no `%` (declare the binding in host.json)"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

/// What is wrong with one key.
pub(super) fn fault(key: &str, reason: String) -> DeclarationError {
    DeclarationError::Config { key: key.to_owned(), reason }
}
