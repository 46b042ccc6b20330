//! A compiled schema of a tool, and how a value is held against it without holding up the host.

use std::{sync::Arc, time::Duration};

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;
use tokio::{sync::Mutex, task::spawn_blocking, time::timeout};

use crate::function::Schema;

/// How long one check may take where the schema alone does not bound it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A compiled schema.
#[derive(Debug)]
pub(super) struct Check {
    validator: Arc<Validator>,
    /// A schema that refers to itself twice can take a time that is exponential in the depth of a value of
    /// a hundred bytes, and nothing can stop it. It is checked apart: by one thread at the most.
    refers: bool,
    turn: Arc<Mutex<()>>,
}

/// The schema takes too long for this value.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLong;

impl Check {
    /// Compiles any schema of a tool: no reference leaves the document, and patterns run in linear time,
    /// since both the schema and the value may be a stranger's. An error names the place in the schema.
    pub(super) fn new(schema: &Schema) -> Result<Self, String> {
        let validator = jsonschema::options()
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .build(schema.value())
            .map_err(|error| {
                let path = error.instance_path().to_string();
                format!("`{}`: {error}", if path.is_empty() { "/" } else { &path })
            })?;
        Ok(Self {
            validator: Arc::new(validator),
            refers: refers(schema.value()),
            turn: Arc::default(),
        })
    }

    /// Whether the schema has references.
    pub(super) fn refers(&self) -> bool {
        self.refers
    }

    /// Lets `judge` look at the value, and gives both back.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        value: Value,
        judge: impl FnOnce(&Validator, &Value) -> T + Send + 'static,
    ) -> Result<(Value, T), TooLong> {
        if !self.refers {
            let verdict = judge(&self.validator, &value);
            return Ok((value, verdict));
        }
        let turn = timeout(PATIENCE, Arc::clone(&self.turn).lock_owned()).await;
        let turn = turn.map_err(|_| TooLong)?;
        let validator = Arc::clone(&self.validator);
        let judged = spawn_blocking(move || {
            // Held until the thread is done, even if nobody waits for it any more.
            let _turn = turn;
            let verdict = judge(&validator, &value);
            (value, verdict)
        });
        match timeout(PATIENCE, judged).await {
            Ok(Ok(judged)) => Ok(judged),
            Ok(Err(_)) | Err(_) => Err(TooLong),
        }
    }
}

/// Whether a reference stands anywhere in the schema. In the value and not in its text, where `$ref` can
/// be written as `\u0024ref`.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(name, value)| {
            matches!(name.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") || refers(value)
        }),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}
